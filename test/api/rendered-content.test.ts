import { request } from "node:http";
import { beforeAll, describe, expect, test } from "vitest";
import { contentOrigin } from "../../server/file-pages/rendered-content.ts";
import { settingsSchema } from "../../shared/settings/settings.schema.ts";
import { type Api, startApi } from "../support/api.ts";
import { addFile } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { givenDraft, metadata, publish } from "../support/records.ts";

const content = "files.example.net";
const page = "<h1>Hello</h1><script>document.title = document.cookie</script>";

let api: Api;
let alice: HttpClient;
let id: string;
beforeAll(async () => {
  api = await startApi("server", { settings: { content_url: `https://${content}`, trust_proxy: 1 } });
  alice = await api.as("alice");
  id = await given({ record: "public", files: "public" });
});

async function given(access: object): Promise<string> {
  const draft = await givenDraft(alice, { metadata, access });
  for (const key of ["a/re port.html", "plot.svg", "data.csv"]) await addFile(alice, draft, key, page);
  await publish(alice, draft);
  return draft;
}

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** A call at the second domain, which `fetch` cannot name. */
const at = (path: string, headers: Record<string, string> = {}, method = "GET", host = content): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const call = request(`${api.server.url}${path}`, { method, headers: { ...headers, host } }, (res) => {
      let text = "";
      res.on("data", (part: Buffer) => {
        text += part.toString();
      });
      res.on("end", () => resolve({ status: res.statusCode ?? 0, headers: res.headers, text }));
    });
    call.on("error", reject);
    call.end();
  });

const html = () => `/rendered/${id}/a/re%20port.html`;

describe("content of users at a domain of its own (web 6, issue 18, second domain)", () => {
  test("HTML and SVG come as themselves, in a sandbox that reaches nothing and that the pages alone may frame", async () => {
    const { status, headers, text } = await at(html());
    expect([status, text, headers["content-type"]]).toEqual([200, page, "text/html; charset=utf-8"]);
    const policy = String(headers["content-security-policy"]).split("; ");
    expect(policy).toEqual(
      expect.arrayContaining(["sandbox allow-scripts", "default-src 'none'", `frame-ancestors ${api.server.url}`]),
    );
    expect(policy.join()).not.toMatch(/allow-same-origin|allow-forms|allow-popups|allow-top|https:|connect-src/);
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex",
      "cache-control": "public, no-cache",
    });
    expect((await at(`/rendered/${id}/plot.svg`)).headers["content-type"]).toBe("image/svg+xml");
    expect((await at(html(), { "if-none-match": String(headers.etag) })).status).toBe(304);
    expect((await at(html(), {}, "HEAD")).headers["content-length"]).toBe(String(page.length));
  });

  test("cookies and tokens are neither read nor set there: whoever asks is a stranger", async () => {
    const closed = await given({ record: "public", files: "restricted" });
    const { token } = await api.person("alice");
    const { body: link } = await alice.post(`/api/records/${closed}/access/links`, { permission: "view" });
    const path = `/rendered/${closed}/plot.svg`;
    const credentials = { authorization: `Bearer ${token}`, cookie: `links=${link.token}; session=anything` };
    for (const [way, headers] of [
      [path, credentials],
      [`${path}?token=${link.token}`, {}],
    ] as const) {
      const answer = await at(way, headers);
      expect([answer.status, answer.text, answer.headers["set-cookie"]]).toEqual([
        404,
        "There is nothing here.",
        undefined,
      ]);
    }
    const open = await at(html(), credentials);
    expect([open.status, open.headers["set-cookie"], open.headers.vary]).toEqual([200, undefined, undefined]);
    // The page of a restricted file has no frame, for its owner neither.
    expect(
      (await alice.get(`/records/${closed}/files/plot.svg`, { headers: { accept: "text/html" } })).text,
    ).not.toContain("<iframe");
  });

  test("nothing else is at that domain, and none of it at the first one", async () => {
    for (const path of [
      "/",
      "/sign-in",
      "/api/records",
      `/records/${id}`,
      "/rendered/",
      `/rendered/${id}/data.csv`,
      "/rendered/%/%",
    ])
      expect((await at(path)).status, path).toBe(404);
    expect((await at(html(), {}, "POST")).status).toBe(405);
    expect((await api.anonymous.get(html())).status).toBe(404);
    const own = new URL(api.server.url).host;
    expect((await at(`/api/records/${id}`, {}, "GET", own)).status).toBe(200);
    // A proxy passes on what a client claims there.
    expect((await at(html(), { "x-forwarded-host": content }, "GET", own)).status).toBe(404);
    expect((await at("/api/records", { "x-forwarded-host": own })).status).toBe(404);
  });

  test("the page of the file frames it, and its policy allows that one origin; other pages frame nothing", async () => {
    const shown = await api.anonymous.get(`/records/${id}/files/a/re%20port.html`, {
      headers: { accept: "text/html" },
    });
    expect(shown.text).toContain(`<iframe src="https://${content}/rendered/${id}/a/re%20port.html"`);
    expect(shown.text).toContain('sandbox="allow-scripts"');
    expect(shown.headers.get("content-security-policy")).toContain(`frame-src https://${content};`);
    for (const path of [`/records/${id}`, `/records/${id}/files/data.csv`])
      expect(
        (await api.anonymous.get(path, { headers: { accept: "text/html" } })).headers.get("content-security-policy"),
      ).not.toContain("frame-src");
    const bytes = await api.anonymous.get(`/api/records/${id}/files/plot.svg/content`);
    expect(bytes.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  });

  test("the server's own address is refused, and a plain address of another computer", () => {
    const originOf = (content_url: string) => () =>
      contentOrigin({ baseUrl: "https://one.example", settings: { content_url } } as Parameters<
        typeof contentOrigin
      >[0]);
    for (const shared of ["one.example/x", "one.example:8443", "files.one.example", "example"])
      expect(originOf(`https://${shared}`), shared).toThrow(
        /^The setting 'content_url' must name another domain than /,
      );
    for (const other of ["two.example", "someone.example", "one.example.net"])
      expect(originOf(`https://${other}`)()?.host, other).toBe(other);
    expect(settingsSchema.safeParse({ content_url: "http://files.example.net" }).success).toBe(false);
  });
});
