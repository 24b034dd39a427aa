import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newUser } from "../../shared/users/user.schema.ts";
import { type Api, roles, startApi } from "../support/api.ts";
import type { HttpClient } from "../support/http-client.ts";
import { listRoutes } from "../support/routes.ts";

const people: Record<string, Record<string, unknown>> = {
  open: { full_name: "José Öberg", affiliations: "Institute of Ice", email_visibility: "public" },
  shut: { visibility: "restricted", full_name: "Hidden Person" },
  idle: { active: false },
  fresh: { confirmed: false },
};

describe.each(roles)("people on the %s", (role) => {
  let api: Api;
  const ids = new Map<string, string>();
  const idOf = (name: string): string => ids.get(name) ?? "999";

  beforeAll(async () => {
    api = await startApi(role);
    for (const [username, more] of Object.entries(people)) {
      const card = newUser.parse({ username, email: `${username}@people.example`, ...more });
      ids.set(username, await api.server.services.users.create(card));
    }
    for (const name of ["ada", "moderator", "admin"]) ids.set(name, await api.idOf(name));
  });
  afterAll(() => api.close());

  const clientOf = async (who: string): Promise<HttpClient> => (who === "anonymous" ? api.anonymous : api.as(who));

  describe("who reads whom (requests 12)", () => {
    const callers = ["anonymous", "ada", "moderator", "admin"];
    const cases = callers.flatMap((caller) =>
      [...Object.keys(people), "unknown"].map((target) => [caller, target, target === "open" ? 200 : 403] as const),
    );
    test.each(cases)("%s reads %s: %d", async (caller, target, status) => {
      const client = await clientOf(caller);
      for (const path of [`/api/users/${idOf(target)}`, `/api/users/${idOf(target)}/avatar.svg`]) {
        const answer = await client.get(path);
        expect(answer.status).toBe(status);
        if (status === 403) expect(answer.body).toEqual({ status: 403, message: "Permission denied." });
      }
    });

    test("the body: others see the card and a public address, the user everything", async () => {
      const ada = await api.as("ada");
      const self = `${ada.url}/api/users/${idOf("open")}`;
      expect((await ada.get(`/api/users/${idOf("open")}`)).body).toEqual({
        ...{ id: idOf("open"), username: "open", email: "open@people.example", is_current_user: false },
        profile: { full_name: "José Öberg", affiliations: "Institute of Ice" },
        links: { self, avatar: `${self}/avatar.svg` },
      });
      const moderator = await api.as("moderator");
      expect((await moderator.get(`/api/users/${idOf("open")}`)).body.links.groups).toBe(
        `${moderator.url}/api/users/${idOf("open")}/groups`,
      );
      const own = await ada.get(`/api/users/${idOf("ada")}`);
      expect(own.headers.get("etag")).toBe('"1"');
      expect(own.body).toMatchObject({
        ...{ is_current_user: true, email: "ada@example.org", active: true, confirmed: true, revision_id: 1 },
        created: expect.stringMatching(/\+00:00$/),
        preferences: { visibility: "public", email_visibility: "restricted" },
      });
      const seen = (await (await api.as("admin")).get(`/api/users/${idOf("ada")}`)).body;
      for (const key of ["email", "revision_id", "created", "updated", "active", "confirmed", "preferences"]) {
        expect(seen).not.toHaveProperty(key);
      }
    });

    test("avatar: the letter without accents, ETag, 304, nothing from elsewhere", async () => {
      const answer = await api.anonymous.get(`/api/users/${idOf("open")}/avatar.svg`);
      expect(answer.headers.get("content-type")).toBe("image/svg+xml; charset=utf-8");
      expect(answer.headers.get("content-disposition")).toBe("inline; filename=avatar.svg");
      expect(answer.headers.get("cache-control")).toMatch(/max-age=\d+/);
      const etag = answer.headers.get("etag") ?? "";
      expect(etag).toMatch(/^"J#[0-9a-f]{6}"$/);
      expect(answer.text).toContain(">J<");
      expect(answer.text).not.toMatch(/script|href|url\(/);
      const again = await api.anonymous.get(`/api/users/${idOf("open")}/avatar.svg`, {
        headers: { "if-none-match": etag },
      });
      expect(again).toMatchObject({ status: 304, text: "" });
    });

    test("every route of users is in one of the matrices", () => {
      const groups = ["GET", "POST", "PUT", "DELETE"].map((verb) => `${verb} /users/:id/groups`);
      const known = ["GET /users", "GET /users/:id", "GET /users/:id/avatar.svg", ...groups];
      expect(listRoutes(api).filter((route) => / \/users/.test(route))).toEqual(known);
    });

    test("writing users: 405", async () => {
      const admin = await api.as("admin");
      for (const method of ["POST", "PUT", "DELETE", "PATCH"]) {
        expect((await admin.call(method, "/api/users", method === "DELETE" ? undefined : {})).status).toBe(405);
        expect((await admin.call(method, `/api/users/${idOf("ada")}`)).status).toBe(405);
      }
    });
  });

  describe("searching people (requests 12, search 6.2, 9)", () => {
    const everywhere = role === "replica" ? "&scope=server" : "";
    const search = async (who: string, query: string) => (await clientOf(who)).get(`/api/users?${query}${everywhere}`);
    const namesIn = async (who: string, query: string): Promise<string[]> =>
      (await search(who, query)).body.hits.hits.map((user: { username: string }) => user.username);

    test("anonymous 403; public people and oneself, for superusers too", async () => {
      expect((await search("anonymous", "")).status).toBe(403);
      for (const who of ["ada", "moderator", "admin"]) {
        const names = await namesIn(who, "");
        expect(names).toContain("open");
        for (const hidden of ["shut", "idle", "fresh"]) expect(names).not.toContain(hidden);
      }
    });

    test.each([
      ["q=Jos", ["open"]],
      ["q=oberg", ["open"]],
      ["q=institute", ["open"]],
      ["q=affiliation:ice", ["open"]],
      ["q=name:jose", ["open"]],
      ["q=fullname:jose", ["open"]],
      ["q=open@people.example", ["open"]],
      ["q=email:open@people.example", ["open"]],
      ["q=ada@example.org", []],
      ["q=email:ada", []],
      ["q=Hidden", []],
      ["q=colour:jose", ["open"]],
      ["q=id:ice", ["open"]],
      ["q=_exists_:jos", ["open"]],
      ["suggest=jos", ["open"]],
      ["suggest=jos%20ice", ["open"]],
      ["suggest=jos%20fire", []],
      ["suggest=open@peop", ["open"]],
      ["suggest=jos%20OPEN@people.example", ["open"]],
      ["suggest=ada@example.org", []],
      ["suggest=@", []],
    ])("%s finds %j", async (query, expected) => {
      expect(await namesIn("moderator", query)).toEqual(expected);
    });

    test("envelope: no aggregations, no paging, page and size validated", async () => {
      const answer = await search("ada", "size=1&page=3&sort=username");
      expect(Object.keys(answer.body).sort()).toEqual(["hits", "links", "sortBy"]);
      expect(Object.keys(answer.body.links)).toEqual(["self"]);
      expect(answer.body.hits.hits.length).toBe(answer.body.hits.total);
      for (const [query, field] of [
        ["size=0", "size"],
        ["page=x", "page"],
        ["sort=colour", "_schema"],
      ]) {
        expect((await search("ada", query ?? "")).body.errors[0].field).toBe(field);
      }
      expect((await search("ada", "page=1001")).body).toEqual({
        status: 400,
        message: "Invalid querystring parameters.",
      });
      expect((await search("ada", "q=a&suggest=b")).body).toEqual({
        status: 400,
        message: "Invalid querystring parameters.",
      });
    });
  });

  describe("groups of a person (requests 12.1)", () => {
    const path = (name: string): string => `/api/users/${idOf(name)}/groups`;

    test("matrix: who lists and changes whose groups", async () => {
      for (const [caller, target, read, write] of [
        ["anonymous", "ada", 403, 403],
        ["ada", "ada", 200, 403],
        ["ada", "open", 403, 403],
        ["moderator", "open", 200, 200],
        ["moderator", "shut", 200, 200],
        ["moderator", "admin", 403, 403],
        ["moderator", "moderator", 200, 403],
        ["moderator", "unknown", 403, 403],
        ["admin", "admin", 200, 403],
        ["admin", "moderator", 200, 200],
      ] as const) {
        const client = await clientOf(caller);
        expect((await client.get(path(target))).status, `${caller} reads ${target}`).toBe(read);
        // A permitted PUT would remove all groups.
        for (const method of write === 403 ? ["POST", "PUT", "DELETE"] : ["POST", "DELETE"]) {
          const answer = await client.call(method, path(target), { groups: [] });
          expect(answer.status, `${caller} ${method} ${target}`).toBe(write);
        }
      }
    });

    test("add, replace, remove; names trimmed, repeats and blanks dropped, answers sorted", async () => {
      const admin = await api.as("admin");
      for (const name of ["alpha", "beta", "gamma"]) await admin.post("/api/groups", { name });
      const moderator = await api.as("moderator");
      const change = async (method: string, groups: unknown) => moderator.call(method, path("open"), { groups });
      expect((await change("POST", [" beta ", "alpha", "", "beta"])).body).toEqual({
        ...{ added: ["alpha", "beta"], groups: ["alpha", "beta"], removed: [] },
      });
      expect((await change("POST", ["beta"])).body.added).toEqual([]);
      expect((await change("PUT", ["gamma", "alpha"])).body).toEqual({
        ...{ added: ["gamma"], groups: ["alpha", "gamma"], removed: ["beta"] },
      });
      expect((await change("DELETE", ["alpha", "beta"])).body).toEqual({
        ...{ added: [], groups: ["gamma"], removed: ["alpha"] },
      });
      const listed = (await moderator.get(path("open"))).body;
      expect(listed).toMatchObject({ groups: [{ id: "gamma", name: "gamma" }], total: 1 });
      const offered = listed.available_groups.map(({ id }: { id: string }) => id);
      expect(offered).toContain("administration");
      expect(offered).not.toContain("superuser-access");
      expect((await (await api.as("ada")).get(path("ada"))).body).not.toHaveProperty("available_groups");
      expect((await change("POST", ["nowhere"])).status).toBe(403);
      expect((await change("POST", ["superuser-access"])).status).toBe(403);
      expect((await change("POST", ["administration"])).status).toBe(200);
      for (const [body, field] of [
        [{}, "groups"],
        [{ groups: "alpha" }, "groups"],
        [{ groups: ["alpha", 1] }, "groups.1"],
      ] as const) {
        const answer = await moderator.call("PUT", path("open"), body);
        expect(answer.status).toBe(400);
        expect(answer.body.errors[0].field).toBe(field);
      }
      expect((await change("PUT", [])).body.groups).toEqual([]);
    });
  });

  describe("oneself (requests 2.3, 12)", () => {
    test("GET /api/me and one's own card are the same; a public person is readable", async () => {
      const ada = await api.as("ada");
      const me = await ada.get("/api/me");
      expect(me.status).toBe(200);
      const { roles, ...card } = me.body;
      expect(roles).toEqual([]);
      expect((await ada.get(`/api/users/${await api.idOf("ada")}`)).body).toEqual(card);
      expect((await ada.get(`/api/users/${await api.idOf("bob")}`)).body.username).toBe("bob");
      expect((await ada.get("/api/users/999")).status).toBe(403);
    });
  });
});
