import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { roles, startApi } from "../support/api.ts";
import { FormBrowser } from "../support/browser-forms.ts";
import { HttpClient } from "../support/http-client.ts";
import { PlainClient } from "../support/plain-client.ts";
import { givenUser, password, startServer } from "../support/sign-in.ts";

const script = "console.log('the app');\n";

/** A folder as the build leaves it. */
async function givenBuild({ isBuilt = true } = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "carrel-app-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  if (!isBuilt) return folder;
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "index.html"), '<meta name="csp-nonce" content="%CSP_NONCE%"><div id="root"></div>');
  await writeFile(join(folder, "assets/main-1.js"), script);
  await writeFile(join(folder, "assets/main-1.js.br"), brotliCompressSync(script));
  await writeFile(join(folder, "assets/plain-1.js"), script);
  return folder;
}

async function openApp(options: { isBuilt?: boolean } = {}) {
  const server = await startServer(undefined, { appFolder: await givenBuild(options) });
  await givenUser(server, "ada");
  const browser = new FormBrowser(server.url);
  const signIn = () => browser.send("/sign-in", { account: "ada", password });
  return { server, browser, signIn };
}

const addresses = [
  "/me/uploads?q=ice",
  "/me/requests",
  "/me/requests/018f0000-0000-7000-8000-000000000000",
  "/me/records/abcde-fgh12",
  "/uploads/abcde-fgh12/files/a.zip",
  "/activity",
  "/people",
  "/people/1",
  "/administration",
  "/settings/tokens",
];

describe("what a host is (web 5)", () => {
  test.each(roles)("anybody may ask the %s, and it names its features, never the other host's", async (role) => {
    const api = await startApi(role);
    const { url } = await api.as("ada");
    const { status, body } = await new HttpClient(url).get("/api/host");
    expect(status).toBe(200);
    expect(body).toMatchObject({ role, base_url: url, name: "Carrel", languages: ["en", "de"] });
    expect(body.features).toEqual(expect.arrayContaining(["desk", "presence", "events"]));
    expect(body.features.includes("sync")).toBe(role === "replica");
    expect(body.features.includes("public_pages")).toBe(role === "server");
    expect(body.sign_in).toEqual({ password: role === "server", reset: false, providers: [] });
  });
});

describe("the app on the server (web 3, rows A)", () => {
  test("without a session a window is led to sign in, and from there to where it wanted", async () => {
    const { browser } = await openApp();
    for (const address of addresses) {
      const led = await browser.open(address);
      expect([address, led.status]).toEqual([address, 302]);
      expect(led.headers.get("location")).toBe(`/sign-in?next=${encodeURIComponent(address)}`);
      expect(led.headers.get("cache-control")).toBe("no-store");
    }
    const sent = await browser.send("/sign-in", { account: "ada", password, next: "/me/uploads?q=ice" });
    expect(sent.headers.get("location")).toBe("/me/uploads?q=ice");
    const page = await browser.open("/me/uploads?q=ice");
    expect(page.status).toBe(200);
    const [, nonce = ""] = /content="([\w-]+)"/.exec(page.text) ?? [];
    expect(page.headers.get("content-security-policy")).toContain(`style-src 'self' 'nonce-${nonce}'`);
  });

  test("with a session every address of the app has its page; `/me` leads to the uploads", async () => {
    const { browser, signIn } = await openApp();
    await signIn();
    for (const address of addresses) expect([address, (await browser.open(address)).status]).toEqual([address, 200]);
    expect((await browser.open("/me")).headers.get("location")).toBe("/me/uploads");
    const unknown = await browser.open("/me/nowhere");
    expect(unknown.status).toBe(404);
    expect(unknown.text).not.toContain('id="root"');
  });

  test("public pages stay, and tokens open the plain page of one object", async () => {
    const { server, browser, signIn } = await openApp();
    await signIn();
    expect((await browser.open("/")).text).not.toContain('id="root"');
    const plain = await new HttpClient(server.url).get("/uploads/aaaaa-bbb11", { headers: { accept: "text/html" } });
    expect(plain.status).toBe(302);
    const linked = await browser.open("/uploads/aaaaa-bbb11?token=abc");
    expect(linked.status).toBe(404);
  });

  test("assets never change: immutable, brotli where the build wrote it, plain where not (web 6)", async () => {
    const { server } = await openApp();
    const client = new PlainClient(server.url);
    onTestFinished(() => client.close());
    const from = (path: string, coding: string) => client.call("GET", `/assets/${path}`, { "accept-encoding": coding });
    const packed = await from("main-1.js", "gzip, deflate, br, zstd");
    expect(packed.headers.get("content-encoding")).toBe("br");
    expect(packed.headers.get("content-type")).toMatch(/^(text|application)\/javascript/);
    expect(packed.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(packed.headers.get("vary")).toBe("Accept-Encoding");
    expect(packed.text).toBe(script);
    for (const [path, coding] of [
      ["main-1.js", "identity"],
      ["main-1.js", "gzip, br;q=0"],
      ["plain-1.js", "br"],
    ] as const) {
      const plain = await from(path, coding);
      expect([path, coding, plain.headers.get("content-encoding")]).toEqual([path, coding, null]);
      expect(plain.text).toBe(script);
    }
    for (const path of ["../index.html", "..%2findex.html", "nothing.js"])
      expect([path, (await from(path, "br")).status]).toEqual([path, 404]);
  });

  test("a server whose app was never built says what to do, and serves everything else (web 6)", async () => {
    const { browser, signIn } = await openApp({ isBuilt: false });
    await signIn();
    const page = await browser.open("/me/uploads");
    expect(page.status).toBe(200);
    expect(page.text).toContain("npm run build");
    expect((await browser.open("/")).status).toBe(200);
    expect((await browser.open("/assets/main-1.js")).status).toBe(404);
  });
});
