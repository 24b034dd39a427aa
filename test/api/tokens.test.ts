import { describe, expect, test } from "vitest";
import { type Api, type Role, roles, startApi } from "../support/api.ts";
import { HttpClient } from "../support/http-client.ts";
import { listRoutes } from "../support/routes.ts";
import { bearer, givenUser, password, startServer, tokenFor } from "../support/sign-in.ts";

describe("tokens (requests 2.2, 2.3)", () => {
  test("the shape of a token; the secret is shown once; default scopes", async () => {
    const server = await startServer();
    await givenUser(server, "ada");
    const made = await tokenFor(server, "ada");
    expect(made).toMatchObject({
      ...{ name: "t", scopes: ["read", "tokens", "write"], expires_at: null, last_used_at: null, token_type: "Bearer" },
      links: { self: `${server.url}/api/tokens/${made.id}` },
    });
    expect(made.token).toMatch(/^carrel_[\w-]{43}$/);
    const ada = bearer(server, made.token);
    const second = await ada.post("/api/tokens", { name: "second", expires_at: "2999-01-01" });
    expect(second.body).toMatchObject({ scopes: ["read", "write"], expires_at: "2999-01-01T00:00:00.000000+00:00" });
    const list = await ada.get("/api/tokens");
    expect(list.body.hits.total).toBe(2);
    expect(list.body.hits.hits.map((token: { name: string }) => token.name)).toEqual(["second", "t"]);
    expect(JSON.stringify(list.body)).not.toContain("carrel_");
    const one = await ada.get(`/api/tokens/${made.id}`);
    expect(one.body).not.toHaveProperty("token");
    expect(one.body.last_used_at).toMatch(/\+00:00$/);
    expect((await ada.delete(`/api/tokens/${second.body.id}`)).status).toBe(204);
    expect((await bearer(server, second.body.token).get("/api/me")).status).toBe(401);
    expect((await ada.get("/api/tokens")).body.hits.total).toBe(1);
  });

  test("a token with an invalid field is refused with 400, which names the field", async () => {
    const server = await startServer();
    await givenUser(server, "ada");
    const ada = bearer(server, (await tokenFor(server, "ada")).token);
    for (const [change, field] of [
      [{ name: undefined }, "name"],
      [{ name: "" }, "name"],
      [{ name: "x".repeat(256) }, "name"],
      [{ scopes: ["read", "everything"] }, "scopes"],
      [{ scopes: "read" }, "scopes"],
      [{ expires_at: "2001-01-01" }, "expires_at"],
      [{ expires_at: "soon" }, "expires_at"],
    ] as const) {
      const answer = await ada.post("/api/tokens", { name: "n", ...change });
      expect(answer.status, JSON.stringify(change)).toBe(400);
      expect(answer.body.errors[0].field.split(".")[0]).toBe(field);
    }
  });

  test("no scope that the bearer lacks; another's token is 404, but a superuser revokes it", async () => {
    const server = await startServer();
    await givenUser(server, "ada");
    await givenUser(server, "root", { roles: ["superuser-access"] });
    const limited = (await tokenFor(server, "ada", { scopes: ["read", "tokens"] })).token;
    const refused = await bearer(server, limited).post("/api/tokens", { name: "x", scopes: ["write"] });
    expect(refused).toMatchObject({ status: 403, body: { error: "insufficient_scope" } });
    const other = await tokenFor(server, "ada");
    await givenUser(server, "eve");
    const eve = bearer(server, (await tokenFor(server, "eve")).token);
    expect((await eve.get(`/api/tokens/${other.id}`)).status).toBe(404);
    expect((await eve.delete(`/api/tokens/${other.id}`)).status).toBe(404);
    const root = bearer(server, (await tokenFor(server, "root")).token);
    expect((await root.delete(`/api/tokens/${other.id}`)).status).toBe(204);
    expect((await bearer(server, other.token).get("/api/me")).status).toBe(401);
  });

  test("without credentials 401; POST /api/users is 405", async () => {
    const server = await startServer();
    const plain = new HttpClient(server.url);
    for (const answer of [
      await plain.post("/api/tokens", { name: "x" }),
      await plain.get("/api/tokens"),
      await plain.delete("/api/tokens/current"),
      await plain.post("/api/change-password", { password, new_password: "x" }),
    ]) {
      expect(answer.status).toBe(401);
      expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="api"');
    }
    expect((await plain.post("/api/users", {})).status).toBe(405);
  });

  test("a secret is not kept with the answer of an Idempotency-Key", async () => {
    const server = await startServer();
    await givenUser(server, "ada");
    const headers = { "idempotency-key": "once" };
    const body = { name: "t", username: "ada", password };
    const { token } = (await new HttpClient(server.url).post("/api/tokens", body, { headers })).body;
    expect((await bearer(server, token).get("/api/me")).status).toBe(200);
    const rows = await server.host.db.selectFrom("idempotency").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});

/**
 * Every route of the API as a call about an absent object. Health checks look at no credentials; archives of drafts have
 * another path.
 */
const callsOf = (api: Api): [method: string, path: string][] =>
  listRoutes(api)
    .filter((route) => !/ \/(ping|healthz|sync\/drafts\/.*)$/.test(route))
    .map((route) => {
      const [verb = "", place = ""] = route.split(" ");
      return [verb === "*" ? "GET" : verb, `/api${place.replace(/[:*]\w+/g, "nothing")}`];
    });

describe("who is not let in, on every route (requests 1, 2)", () => {
  test.each(roles)("bad credentials are 401 on every endpoint, public ones included: the %s", async (role: Role) => {
    const api = await startApi(role);
    const ada = await api.person("ada");
    const bad: Record<string, string> = { malformed: "nonsense" };
    if (role === "server") {
      const { tokens, users } = api.server.services;
      const issue = async (userId: string) =>
        tokens.issue({ userId, byPassword: false, defaultScopes: ["read", "write"] }, { name: "x" });
      const expired = await issue(ada.id);
      bad.expired = expired.secret;
      const { db } = api.server.host;
      await db.updateTable("token").set({ expires_at: 1 }).where("id", "=", expired.row.id).execute();
      const revoked = await issue(ada.id);
      bad.revoked = revoked.secret;
      await tokens.revokeById(revoked.row.id);
      const bob = await api.idOf("bob");
      bad["of a deactivated person"] = (await issue(bob)).secret;
      await users.deactivate(bob);
    } else bad["of the server"] = ada.token;
    const wrong: string[] = [];
    const calls = callsOf(api);
    for (const [name, token] of Object.entries(bad)) {
      const client = new HttpClient(ada.client.url, token);
      for (const [method, path] of calls) {
        const { status, body, headers } = await client.call(method, path);
        const isTold = method === "HEAD" || role === "replica" || body?.error === "invalid_token";
        if (status !== 401 || !isTold || !headers.has("www-authenticate"))
          wrong.push(`${name}: ${method} ${path}: ${status}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(calls.length).toBeGreaterThan(100);
  });

  test("a token lacks the scope: 403 insufficient_scope before anything else, whatever the route; replicas need both (requests 2.1, 2.2; hosts-and-sync 6)", async () => {
    const api = await startApi();
    const { id } = await api.person("ada");
    const wrong: string[] = [];
    const credentialPaths =
      /^\/api\/(user\/(second-factor|identities)|invitations$|invitations\/.*resend|.*\/reset-(password|second-factor))/;
    const openToAll = /^\/api\/(login|logout|tokens\/current)$/;
    for (const scopes of [["read"], ["tokens"], ["write"]]) {
      const grant = { userId: id, byPassword: false, defaultScopes: [] };
      const { secret } = await api.server.services.tokens.issue(grant, { name: "x", scopes });
      const client = new HttpClient(api.server.url, secret);
      for (const [method, path] of callsOf(api).filter(([, place]) => !openToAll.test(place))) {
        const isGet = /GET|HEAD/.test(method);
        const isRead = (isGet && !/^\/api\/sync\/(?!drafts\/)/.test(path)) || path === "/api/stats";
        const isSecret = path.startsWith("/api/tokens") || (!isGet && credentialPaths.test(path));
        const needed = isSecret ? "tokens" : isRead ? "read" : "write";
        const isHeld = scopes.includes(needed) || (needed === "read" && scopes.includes("write"));
        const { status, body, headers } = await client.call(method, path);
        const isRefused = status === 403 && (method === "HEAD" || body?.error === "insufficient_scope");
        const isNamed = headers.get("www-authenticate")?.endsWith(`scope="${needed}"`) ?? false;
        if (isRefused === isHeld || isNamed === isHeld) wrong.push(`${scopes}: ${method} ${path}: ${status}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});
