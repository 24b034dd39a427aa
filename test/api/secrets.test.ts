import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Request, Response } from "express";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { sealedCookie } from "../../server/accounts/sealed-cookie.ts";
import { secretOption } from "../../shared/kernel/secret-option.ts";
import { UsageError } from "../../shared/kernel/usage-error.ts";
import { weaknessOf } from "../../shared/sign-in/password-weakness.ts";
import { HttpClient } from "../support/http-client.ts";
import { CarrelProcess, runCarrel } from "../support/process.ts";
import { bearer, givenUser, password, signedInBrowser, startServer, tokenFor } from "../support/sign-in.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "carrel-secrets-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
});

describe("secrets of a command line (security 10)", () => {
  const token = (argument?: string, file?: string, environment: NodeJS.ProcessEnv = {}) =>
    secretOption({ name: "token", argument, file }, environment);

  test("from a file, then the environment, from where it is taken; as an argument with a warning", async () => {
    const file = join(folder, "token");
    await writeFile(file, "of the file\r\n");
    const environment = { CARREL_TOKEN: "of the environment", OTHER: "kept" };
    expect(token(undefined, file, { ...environment })).toEqual({ value: "of the file" });
    expect(token(undefined, undefined, environment)).toEqual({ value: "of the environment" });
    expect(environment).toEqual({ OTHER: "kept" });
    expect(token()).toEqual({ value: undefined });
    const warning = expect.stringMatching(/--token-file or the variable CARREL_TOKEN/);
    expect(token("argument")).toEqual({ value: "argument", warning });
  });

  test("twice, or a file without one line: a usage error that shows no secret", async () => {
    const wrong = { empty: "", lines: "s3cret\ns3cret", endless: "x".repeat(100_000) };
    for (const [name, text] of Object.entries(wrong)) await writeFile(join(folder, name), text);
    for (const name of [...Object.keys(wrong), "missing"]) {
      expect(() => token(undefined, join(folder, name)), name).toThrow(UsageError);
      expect(() => token(undefined, join(folder, name)), name).not.toThrow(/s3cret/);
    }
    expect(() => token("s3cret", "file")).toThrow(/exclude each other/);
  });

  test("a password comes from standard input; a replica's token from the environment", async () => {
    const server = await startServer();
    const person = ["--username", "ada", "--email", "ada@example.org", "--token", "t"];
    const create = new CarrelProcess(["users", "create", "--data", server.folder, ...person, "--password-file", "-"]);
    create.type(`${password}\n`);
    const created = await create.ended;
    expect(created).toMatchObject({ code: 0, stderr: "" });
    const signIn = await new HttpClient(server.url).post("/api/login", { username: "ada", password });
    expect(signIn.status).toBe(200);
    const replica = new CarrelProcess(["replica", "--data", join(folder, "replica"), "--server", server.url], {
      CARREL_TOKEN: JSON.parse(created.stdout).token,
    });
    const { url, token: secret } = await replica.ready();
    expect((await new HttpClient(url, secret).get("/api/me")).body).toMatchObject({ username: "ada" });
    const { stderr } = await replica.stop();
    expect(stderr).not.toMatch(/can read --token/);
  });
});

describe("passwords that are guessed first (security 10)", () => {
  const ada = { username: "ada.lovelace", email: "countess@example.org" };

  test("the most common ones are refused in any case, and so are the person's own names", async () => {
    for (const common of [
      "password",
      "PassWord",
      "12345678",
      "qwertyuiop",
      "1qaz2wsx",
      "\uff11\uff12\uff13\uff14５６７８",
    ]) {
      expect(await weaknessOf(common, ada), common).toMatch(/most common/);
    }
    for (const name of ["ada.lovelace", "ADA.Lovelace", "countess@example.org", "countess"]) {
      expect(await weaknessOf(name, ada), name).toMatch(/user name or the e-mail address/);
    }
    for (const fit of [password, "ada.lovelace and friends", "zebra lamp orbit"]) {
      expect(await weaknessOf(fit, ada), fit).toBeUndefined();
    }
  });

  test("change-password names the reason at its field; the old password stays", async () => {
    const server = await startServer();
    await givenUser(server, "ada.lovelace");
    const { plain, csrf } = await signedInBrowser(server, "ada.lovelace");
    for (const [new_password, reason] of [
      ["iloveyou", /most common/],
      ["ada.lovelace", /user name/],
      ["ada.lovelace@example.org", /e-mail address/],
    ] as const) {
      const refused = await plain.post("/api/change-password", { password, new_password }, { headers: csrf });
      expect(refused).toMatchObject({ status: 400, body: { errors: [{ field: "new_password" }] } });
      expect(refused.body.errors[0].messages[0]).toMatch(reason);
    }
    expect((await plain.post("/api/login", { username: "ada.lovelace", password })).status).toBe(200);
  });

  test("the commands refuse them before anything is created or changed", async () => {
    const server = await startServer();
    const names = ["--data", server.folder, "--username", "ada.lovelace"];
    const create = [...names, "--email", "a@example.org", "--password"];
    expect((await runCarrel("users", "create", ...create, "sunshine")).stderr).toMatch(/most common/);
    expect((await runCarrel("users", "create", ...create, "Ada.Lovelace")).stderr).toMatch(/user name/);
    expect(await server.services.users.list(server.host.db)).toEqual([]);
    await givenUser(server, "ada.lovelace");
    const reset = await runCarrel("users", "reset-password", ...names, "--password", "princess");
    expect(reset.code).toBe(2);
    expect(reset.stderr).toMatch(/^--password: .* most common .*\n$/);
    const plain = new HttpClient(server.url);
    expect((await plain.post("/api/login", { username: "ada.lovelace", password })).status).toBe(200);
    const accepted = await runCarrel("users", "reset-password", ...names, "--password", "violet tram 77");
    expect(accepted.stderr).toMatch(/CARREL_PASSWORD/);
  });
});

describe("https (security 10)", () => {
  const https = { headers: { "x-forwarded-proto": "https" } };
  const hsts = "strict-transport-security";

  test("where a trusted proxy says so, answers carry HSTS and cookies are for this host and https alone", async () => {
    const server = await startServer(undefined, { trust_proxy: ["loopback"] });
    await givenUser(server, "ada");
    const plain = new HttpClient(server.url);
    for (const path of ["/api/records", "/api/nowhere", "/ping", "/records/none"]) {
      expect((await plain.get(path, https)).headers.get(hsts), path).toBe("max-age=31536000");
      expect((await plain.get(path)).headers.get(hsts), path).toBeNull();
    }
    const login = await plain.post("/api/login", { username: "ada", password }, https);
    const cookies = login.headers.getSetCookie();
    expect(cookies.map((text) => text.split("=")[0])).toEqual(["__Host-session", "csrftoken", "__Host-device"]);
    for (const cookie of cookies) expect(cookie).toMatch(/; Path=\/; SameSite=Lax; Max-Age=\d+(; HttpOnly)?; Secure$/);
    const [session = ""] = cookies.map((text) => text.split(";")[0] ?? "");
    const me = (cookie: string) => plain.get("/api/me", { headers: { ...https.headers, cookie } });
    expect((await me(session)).status).toBe(200);
    // A sibling domain could have set this one.
    expect((await me(session.replace("__Host-", ""))).status).toBe(401);
  });

  test("cookies between two steps of a sign-in are for this host alone, so no sibling domain can set them (web 9)", async () => {
    const { host } = await startServer();
    const sent: string[] = [];
    const res = { append: (_name: string, text: string) => sent.push(text) } as unknown as Response;
    const outside = { ...host, baseUrl: "https://library.example.org" };
    const cookie = sealedCookie(outside, new Uint8Array(32), "sign-in-journey", z.string());
    cookie.set({ headers: {} } as Request, res, "content");
    expect(sent).toEqual([expect.stringMatching(/^__Host-sign-in-journey=[\w-]+; Path=\/; .*; HttpOnly; Secure$/)]);
    const [pair = ""] = sent[0]?.split(";") ?? [];
    expect(cookie.read({ headers: { cookie: pair } } as Request)).toBe("content");
    expect(cookie.read({ headers: { cookie: pair.replace("__Host-", "") } } as Request)).toBeUndefined();
  });

  test("nobody else says so; a base URL of https does", async () => {
    const server = await startServer();
    await givenUser(server, "ada");
    const plain = new HttpClient(server.url);
    const login = await plain.post("/api/login", { username: "ada", password }, https);
    expect(login.headers.get(hsts)).toBeNull();
    expect(login.headers.getSetCookie().join()).not.toMatch(/Secure|__Host-/);
    expect((await bearer(server, (await tokenFor(server, "ada")).token).get("/api/me", https)).status).toBe(200);
    const outside = await startServer(undefined, { baseUrl: "https://library.example.org" });
    expect((await new HttpClient(outside.url).get("/api/records")).headers.get(hsts)).toBe("max-age=31536000");
  });
});
