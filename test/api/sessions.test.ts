import { describe, expect, test } from "vitest";
import { HttpClient } from "../support/http-client.ts";
import { givenUser, password, signedInBrowser, startServer } from "../support/sign-in.ts";

const csrfOf = (cookie: string): string => /csrftoken=([^;]+)/.exec(cookie)?.[1] ?? "";
const sessionOf = (cookie: string): string => /session=([^;]+)/.exec(cookie)?.[1] ?? "";

describe("sessions of browsers (requests 2.1, 2.3)", () => {
  test("signing in makes a new session and ends the browser's earlier one; a chosen value is not taken over", async () => {
    const server = await startServer();
    await givenUser(server, "ada");
    await givenUser(server, "bob");
    const { plain, cookie } = await signedInBrowser(server, "ada");
    const me = async (held: string) => (await plain.get("/api/me", { headers: { cookie: held } })).body.username;
    const again = await plain.post("/api/login", { username: "bob", password }, { headers: { cookie } });
    const next = again.headers
      .getSetCookie()
      .map((text) => text.split(";")[0])
      .join("; ");
    expect(sessionOf(next)).not.toBe(sessionOf(cookie));
    expect([await me(cookie), await me(next)]).toEqual([undefined, "bob"]);
    const chosen = { headers: { cookie: "session=chosen-by-a-stranger" } };
    const login = await plain.post("/api/login", { username: "ada", password }, chosen);
    expect(login.headers.getSetCookie()[0]).not.toContain("chosen");
    expect((await plain.get("/api/me", chosen)).status).toBe(401);
  });

  test("a page of another site signs nobody in, not even by JSON that has no type (issue 15)", async () => {
    const server = await startServer();
    await givenUser(server, "eve");
    const plain = new HttpClient(server.url);
    // Without a type browsers send a body to other sites unasked.
    const body = new TextEncoder().encode(JSON.stringify({ username: "eve", password }));
    const login = async (headers: Record<string, string>) => {
      const answer = await plain.call("POST", "/api/login", body, { headers });
      return [answer.status, answer.headers.getSetCookie().length > 0];
    };
    for (const site of ["cross-site", "same-site"]) {
      expect(await login({ "sec-fetch-site": site, origin: "https://evil.example" })).toEqual([403, false]);
    }
    for (const origin of ["https://evil.example", "null"]) expect(await login({ origin })).toEqual([403, false]);
    for (const own of [{}, { "sec-fetch-site": "same-origin" }, { "sec-fetch-site": "none" }, { origin: server.url }]) {
      expect(await login(own as Record<string, string>)).toEqual([200, true]);
    }
  });

  test("a CSRF token counts for its own session alone, even beside a cookie that says the same", async () => {
    const server = await startServer();
    await givenUser(server, "ada");
    await givenUser(server, "eve");
    const ada = await signedInBrowser(server, "ada");
    const other = await signedInBrowser(server, "ada");
    const eve = await signedInBrowser(server, "eve");
    for (const { cookie } of [other, eve]) {
      const planted = csrfOf(cookie);
      const headers = { cookie: `session=${sessionOf(ada.cookie)}; csrftoken=${planted}`, "x-csrftoken": planted };
      expect(await ada.plain.post("/api/tokens", { name: "t" }, { headers })).toMatchObject({
        status: 400,
        body: { message: expect.stringMatching(/^CSRF /) },
      });
    }
    expect((await ada.plain.post("/api/tokens", { name: "t" }, { headers: ada.csrf })).status).toBe(201);
  });

  test("signing out ends the session on the server, and no other; it needs the CSRF token", async () => {
    const server = await startServer();
    await givenUser(server, "ada");
    const here = await signedInBrowser(server, "ada");
    const there = await signedInBrowser(server, "ada");
    const status = async ({ cookie }: { cookie: string }) =>
      (await here.plain.get("/api/me", { headers: { cookie } })).status;
    expect((await here.plain.post("/api/logout", undefined, { headers: { cookie: here.cookie } })).status).toBe(400);
    expect(await status(here)).toBe(200);
    const out = await here.plain.post("/api/logout", undefined, { headers: here.csrf });
    expect(out.headers.getSetCookie().map((text) => text.split("; Path")[0])).toEqual(["session=", "csrftoken="]);
    expect([await status(here), await status(there)]).toEqual([401, 200]);
  });

  test("a session ends by its clock, and at once when its user is deactivated, who then gets the answers of an anonymous caller", async () => {
    const server = await startServer();
    const { id } = await givenUser(server, "ada");
    const first = await signedInBrowser(server, "ada");
    const second = await signedInBrowser(server, "ada");
    const status = async ({ cookie }: { cookie: string }) =>
      (await first.plain.get("/api/me", { headers: { cookie } })).status;
    const { db } = server.host;
    const [row] = await db.selectFrom("session").selectAll().orderBy("created").execute();
    expect(((row?.expires_at ?? 0) - (row?.created ?? 0)) / 1_000_000).toBe(14 * 86_400);
    await db
      .updateTable("session")
      .set({ expires_at: server.host.now() })
      .where("digest", "=", row?.digest ?? "")
      .execute();
    expect([await status(first), await status(second)]).toEqual([401, 200]);
    await server.services.users.deactivate(id);
    expect(await status(second)).toBe(401);
    const plain = new HttpClient(server.url);
    const refused = await plain.post(
      "/api/login",
      { username: "ada", password },
      { headers: { cookie: second.cookie } },
    );
    const unknown = await plain.post("/api/login", { username: "nobody", password });
    expect([refused.status, refused.text]).toEqual([401, unknown.text]);
  });

  test("who signs in with the old password while it is changed is not signed in afterwards (security 10)", async () => {
    const server = await startServer();
    await givenUser(server, "ada");
    const { plain, csrf, cookie } = await signedInBrowser(server, "ada");
    const form = { username: "ada", password, name: "t" };
    const change = plain.post("/api/change-password", { password, new_password: "another horse" }, { headers: csrf });
    const others = await Promise.all([
      ...Array.from({ length: 4 }, () => plain.post("/api/login", form)),
      ...Array.from({ length: 4 }, () => plain.post("/api/tokens", form)),
    ]);
    expect((await change).status).toBe(200);
    const held = others.map(
      ({ headers, body }): Record<string, string> =>
        body.token ? { authorization: `Bearer ${body.token}` } : { cookie: headers.getSetCookie().join("; ") },
    );
    for (const headers of held) expect((await plain.get("/api/me", { headers })).status).toBe(401);
    expect((await plain.get("/api/me", { headers: { cookie } })).status).toBe(200);
  });

  test("of two changes of one password at once only one counts (security 10)", async () => {
    const server = await startServer();
    await givenUser(server, "ada");
    const here = await signedInBrowser(server, "ada");
    const there = await signedInBrowser(server, "ada");
    const change = ({ csrf }: { csrf: Record<string, string> }, new_password: string) =>
      here.plain.post("/api/change-password", { password, new_password }, { headers: csrf });
    const answers = await Promise.all([change(here, "another horse"), change(there, "a third horse")]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const kept = answers[0]?.status === 200 ? "another horse" : "a third horse";
    expect((await here.plain.post("/api/login", { username: "ada", password: kept })).status).toBe(200);
  });
});
