import { describe, expect, test } from "vitest";
import { type Answer, HttpClient } from "../support/http-client.ts";
import { bearer, givenUser, password, signedInBrowser, startServer, tokenFor } from "../support/sign-in.ts";

describe("presenting credentials (requests 2.1)", () => {
  test("bearer tokens: any case of the scheme; access_token on GET and HEAD only; not both", async () => {
    const server = await startServer();
    await givenUser(server, "ada");
    const { token } = await tokenFor(server, "ada");
    const plain = new HttpClient(server.url);
    for (const scheme of ["Bearer", "bearer", "BEARER"]) {
      expect((await plain.get("/api/me", { headers: { authorization: `${scheme} ${token}` } })).status).toBe(200);
    }
    expect((await plain.get(`/api/me?access_token=${token}`)).status).toBe(200);
    expect((await plain.head(`/api/me?access_token=${token}`)).status).toBe(200);
    expect((await plain.post(`/api/tokens?access_token=${token}`, { name: "x" })).status).toBe(401);
    const both = await bearer(server, token).get(`/api/me?access_token=${token}`);
    expect(both).toMatchObject({ status: 400, body: { error: "invalid_request" } });
    const twice = await plain.get(`/api/records?access_token=${token}&access_token=${token}`);
    expect(twice).toMatchObject({ status: 400, body: { error: "invalid_request" } });
  });

  test("unknown, malformed, expired, revoked, or of an inactive user: 401 invalid_token, on public endpoints too", async () => {
    const server = await startServer();
    await givenUser(server, "ada");
    const { id } = await givenUser(server, "bob");
    const revoked = (await tokenFor(server, "ada")).token;
    await bearer(server, revoked).delete("/api/tokens/current");
    const inactive = (await tokenFor(server, "bob")).token;
    await server.services.users.deactivate(id);
    for (const token of ["carrel_nonsense", revoked, inactive]) {
      for (const path of ["/api/me", "/api/records", "/api/users/1", "/api/vocabularies/licenses"]) {
        const answer = await bearer(server, token).get(path);
        expect(answer.status, `${path} ${token}`).toBe(401);
        expect(answer.body).toMatchObject({ status: 401, error: "invalid_token" });
        expect(answer.headers.get("www-authenticate")).toMatch(
          /^Bearer realm="api", error="invalid_token", error_desc/,
        );
      }
    }
    for (const authorization of ["Basic abc", "Bearer", "Bearer "]) {
      const answer = await new HttpClient(server.url).get("/api/me", { headers: { authorization } });
      expect(answer.status, authorization).toBe(401);
      expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="api"');
      expect(answer.body.error).toBeUndefined();
    }
  });

  test("scopes: a token without the scope is 403 insufficient_scope, write implies read", async () => {
    const server = await startServer();
    await givenUser(server, "ada");
    const reading = bearer(server, (await tokenFor(server, "ada", { scopes: ["read"] })).token);
    expect((await reading.get("/api/me")).status).toBe(200);
    const refused = await reading.post("/api/records", {});
    expect(refused.status).toBe(403);
    expect(refused.headers.get("www-authenticate")).toBe(
      'Bearer realm="api", error="insufficient_scope", scope="write"',
    );
    expect(refused.body).toMatchObject({ status: 403, error: "insufficient_scope" });
    expect((await reading.get("/api/tokens")).status).toBe(403);
    const writing = bearer(server, (await tokenFor(server, "ada", { scopes: ["write"] })).token);
    expect((await writing.get("/api/me")).status).toBe(200);
  });

  test("sessions: cookies, CSRF, logout; missing right without credentials names the scheme", async () => {
    const server = await startServer();
    await givenUser(server, "ada");
    const { plain, login, cookies, cookie, csrf } = await signedInBrowser(server, "ada");
    expect(login.status).toBe(200);
    expect(login.body).toMatchObject({ username: "ada", is_current_user: true, email: "ada@example.org" });
    expect(cookies[0]).toMatch(/^session=.*HttpOnly/);
    expect(cookies[0]).toMatch(/SameSite=Lax/);
    expect(cookies[0]).toMatch(/Path=\//);
    expect(cookies[0]).not.toMatch(/Secure/);
    expect(cookies[1]).toMatch(/^csrftoken=/);
    expect(cookies[1]).not.toMatch(/HttpOnly/);
    const me = await plain.get("/api/me", { headers: { cookie } });
    expect(me).toMatchObject({ status: 200, body: { username: "ada" } });
    expect(me.headers.getSetCookie().join()).toMatch(/csrftoken=/);
    const unproved: Record<string, string>[] = [{ cookie }, { cookie, "x-csrftoken": "wrong" }];
    for (const headers of unproved) {
      const refused = await plain.post("/api/tokens", { name: "x" }, { headers });
      expect(refused.status).toBe(400);
      expect(refused.body.message).toMatch(/^CSRF /);
    }
    expect((await plain.post("/api/tokens", { name: "x" }, { headers: csrf })).status).toBe(201);
    expect((await plain.post("/api/login", { username: "ada", password }, { headers: { cookie } })).status).toBe(200);
    const out = await plain.post("/api/logout", undefined, { headers: csrf });
    expect(out).toMatchObject({ status: 200, body: { message: "User logged out." } });
    const anonymous = await plain.get("/api/me", { headers: { cookie } });
    expect(anonymous.status).toBe(401);
    expect(anonymous.headers.get("www-authenticate")).toBe('Bearer realm="api"');
    expect((await plain.post("/api/logout")).status).toBe(200);
    const missing = await plain.get("/api/groups");
    expect(missing.body).toEqual({ status: 403, message: "Permission denied." });
    expect(missing.headers.get("www-authenticate")).toBe('Bearer realm="api"');
  });
});

describe("passwords (requests 2.3)", () => {
  test("unknown account, wrong password, unconfirmed, inactive: the same 401", async () => {
    const server = await startServer();
    await givenUser(server, "ada");
    await givenUser(server, "idle", { active: false });
    await givenUser(server, "fresh", { confirmed: false });
    await givenUser(server, "none", { password_hash: null });
    const plain = new HttpClient(server.url);
    const bodies = new Set<string>();
    for (const [username, tried] of [
      ...[
        ["nobody", password],
        ["ada", "wrong password"],
        ["idle", password],
      ],
      ...[
        ["fresh", password],
        ["none", ""],
      ],
    ]) {
      for (const path of ["/api/login", "/api/tokens"]) {
        const answer = await plain.post(path, { username, password: tried, name: "n" });
        expect(answer.status).toBe(401);
        bodies.add(answer.text);
      }
    }
    expect([...bodies].map((text) => JSON.parse(text))).toEqual([
      { status: 401, message: "Invalid credentials.", error: "invalid_grant", error_description: expect.any(String) },
    ]);
    for (const body of [{}, { username: "ada" }, { password }, { email: 1, password }]) {
      expect((await plain.post("/api/login", body)).status).toBe(400);
    }
    expect((await plain.post("/api/login", { email: "ADA@example.org", password })).status).toBe(200);
  });

  test("change-password ends other sessions and password-obtained tokens", async () => {
    const server = await startServer();
    await givenUser(server, "ada");
    const here = await signedInBrowser(server, "ada");
    const there = await signedInBrowser(server, "ada");
    const byPassword = (await tokenFor(server, "ada")).token;
    const made = await here.plain.post("/api/tokens", { name: "script" }, { headers: here.csrf });
    const change = (body: unknown): Promise<Answer> =>
      here.plain.post("/api/change-password", body, { headers: here.csrf });
    expect((await change({ password: "wrong one", new_password: "another horse" })).body.errors[0].field).toBe(
      "password",
    );
    expect((await change({ password, new_password: "short" })).body.errors[0].field).toBe("new_password");
    const done = await change({ password, new_password: "another horse" });
    expect(done.status).toBe(200);
    expect(done.body.message).toBeTruthy();
    const statusOf = async (headers: Record<string, string>) => (await here.plain.get("/api/me", { headers })).status;
    expect(await statusOf({ cookie: here.cookie })).toBe(200);
    expect(await statusOf({ cookie: there.cookie })).toBe(401);
    expect(await statusOf({ authorization: `Bearer ${byPassword}` })).toBe(401);
    expect(await statusOf({ authorization: `Bearer ${made.body.token}` })).toBe(200);
    expect((await here.plain.post("/api/login", { username: "ada", password: "another horse" })).status).toBe(200);
  });

  test("after 5 failures the next attempts are 429, right password or not, over a restart", async () => {
    const first = await startServer();
    await givenUser(first, "ada");
    const plain = new HttpClient(first.url);
    const names = ["ada", "ADA", "Ada", "aDa", "adA"];
    for (const username of names) {
      expect((await plain.post("/api/login", { username, password: "wrong one" })).status).toBe(401);
    }
    const limited = await plain.post("/api/login", { username: "ada", password });
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await plain.post("/api/tokens", { username: "ada", password, name: "n" })).status).toBe(429);
    expect((await plain.post("/api/login", { email: "ada@example.org", password })).status).toBe(200);
    await first.close();
    const second = await startServer(first.folder);
    const again = await new HttpClient(second.url).post("/api/login", { username: "ada", password });
    expect(again.status).toBe(429);
  });

  test("a burst on one name is counted as it should be; 100 failures of an address stop it", async () => {
    const server = await startServer();
    await givenUser(server, "ada");
    const plain = new HttpClient(server.url);
    const burst = await Promise.all(
      Array.from({ length: 12 }, () => plain.post("/api/login", { username: "ada", password: "wrong one" })),
    );
    expect(burst.filter(({ status }) => status === 401)).toHaveLength(5);
    const at = server.host.now();
    const rows = Array.from({ length: 95 }, () => ({ subject: "address:127.0.0.1", at }));
    await server.host.db.insertInto("login_failure").values(rows).execute();
    expect((await plain.post("/api/login", { username: "bob", password: "wrong one" })).status).toBe(429);
  });
});
