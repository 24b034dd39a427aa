import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, roles, startApi } from "../support/api.ts";
import type { HttpClient } from "../support/http-client.ts";
import { givenRecord, withoutFiles } from "../support/records.ts";
import { listRoutes } from "../support/routes.ts";

const callers = ["anonymous", "ada", "moderator", "admin"] as const;
type Row = [operation: string, call: (client: HttpClient, n: number) => Promise<{ status: number }>, ...number[]];

/** The matrix of requests 11: anonymous, user, manager, superuser. */
const matrix: Row[] = [
  ["search", (client) => client.get("/api/groups"), 403, 200, 200, 200],
  ["get unmanaged", (client) => client.get("/api/groups/outside"), 403, 200, 200, 200],
  ["avatar unmanaged", (client) => client.get("/api/groups/outside/avatar.svg"), 403, 200, 200, 200],
  ["get managed", (client) => client.get("/api/groups/inside"), 403, 403, 200, 200],
  ["avatar managed", (client) => client.get("/api/groups/inside/avatar.svg"), 403, 403, 200, 200],
  ["create", (client, n) => client.post("/api/groups", { name: `made-${n}` }), 403, 403, 201, 201],
  ["create with a bad body", (client) => client.post("/api/groups", { name: "1" }), 403, 403, 400, 400],
  ["update managed", (client) => client.put("/api/groups/inside", {}), 403, 403, 200, 200],
  ["update unmanaged", (client) => client.put("/api/groups/outside", {}), 403, 403, 403, 200],
  ["delete unmanaged", (client) => client.delete("/api/groups/outside"), 403, 403, 403, 204],
  ["delete managed", (client) => client.delete("/api/groups/made-2"), 403, 403, 204, 403],
  ["create a protected name", (client) => client.post("/api/groups", { name: "admin" }), 403, 403, 403, 403],
  ["create “ admin ”", (client) => client.post("/api/groups", { name: " admin " }), 403, 403, 400, 400],
  // Protected names are compared exactly. The superuser comes after the manager, so the name is taken.
  ...["ADMIN", "Superuser-Access", "superuser_access", "administration_moderation"].map(
    (name): Row => [`create “${name}”`, (client) => client.post("/api/groups", { name }), 403, 403, 201, 400],
  ),
  ["update a protected name", (client) => client.put("/api/groups/administration", {}), 403, 403, 403, 403],
  ["delete a protected name", (client) => client.delete("/api/groups/superuser-access"), 403, 403, 403, 403],
  ["get an unknown id", (client) => client.get("/api/groups/nowhere"), 403, 403, 403, 403],
  ["update an unknown id", (client) => client.put("/api/groups/nowhere", {}), 403, 403, 403, 403],
  ["delete an unknown id", (client) => client.delete("/api/groups/nowhere"), 403, 403, 403, 403],
];

describe.each(roles)("groups on the %s", (role) => {
  let api: Api;
  beforeAll(async () => {
    api = await startApi(role);
    await api.server.services.groups.provide({ name: "outside", description: null, is_managed: false });
    for (const caller of callers) await clientOf(caller);
    await (await api.as("admin")).post("/api/groups", { name: "inside", description: " people of the house " });
  });
  afterAll(() => api.close());

  const clientOf = async (who: string): Promise<HttpClient> => (who === "anonymous" ? api.anonymous : api.as(who));
  /** Lists that only the server has completely (hosts-and-sync 3). */
  const everywhere = role === "replica" ? "&scope=server" : "";
  describe("who may do what with groups (requests 11)", () => {
    const cases = matrix.flatMap(([operation, call, ...statuses]) =>
      callers.map((caller, index) => [operation, caller, statuses[index], call, index] as const),
    );
    test.each(cases)("%s by %s: %d", async (_operation, caller, status, call, index) => {
      expect((await call(await clientOf(caller), index)).status).toBe(status);
    });
  });

  describe("groups (requests 11)", () => {
    test("body, links, ETag, revision; PUT without description keeps it, null clears it, name stays", async () => {
      const admin = await api.as("admin");
      const made = await admin.post("/api/groups", {
        name: "Curators",
        description: " Look after ",
        is_managed: false,
      });
      expect(made.status).toBe(201);
      expect(made.headers.get("etag")).toBe('"1"');
      const self = `${admin.url}/api/groups/Curators`;
      expect(made.body).toEqual({
        ...{ id: "Curators", name: "Curators", description: "Look after", is_managed: true, revision_id: 1 },
        created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/),
        updated: made.body.created,
        links: { self, avatar: `${self}/avatar.svg` },
      });
      expect((await admin.put("/api/groups/Curators", { name: "Other" })).body).toMatchObject({
        ...{ name: "Curators", description: "Look after", revision_id: 2 },
      });
      const stale = { headers: { "if-match": '"1"' } };
      expect((await admin.put("/api/groups/Curators", { description: "Late" }, stale)).status).toBe(412);
      expect((await admin.put("/api/groups/Curators", { description: null })).body.description).toBeNull();
      expect((await admin.post("/api/groups", { name: "curators" })).status).toBe(201);
      const taken = await admin.post("/api/groups", { name: "Curators" });
      expect(taken.body.errors).toEqual([{ field: "name", messages: ["Role name already used by another group."] }]);
      const long = await admin.put("/api/groups/Curators", { description: "x".repeat(256) });
      expect(long.body.errors).toEqual([{ field: "description", messages: ["Longer than maximum length 255."] }]);
      expect((await admin.delete("/api/groups/Curators")).status).toBe(204);
      expect((await admin.post("/api/groups", { name: "Curators" })).status).toBe(201);
    });

    test.each([undefined, "", "1abc", "-abc", "a b", "a.b", "ä", `a${"x".repeat(80)}`, 7])(
      "name %j is 400",
      async (name) => {
        const answer = await (await api.as("admin")).post("/api/groups", { name });
        expect(answer.status).toBe(400);
        expect(answer.body.errors[0].field).toBe("name");
      },
    );

    test("search: size 20, at most 50; filter, facet, sorts", async () => {
      const moderator = await api.as("moderator");
      await api.server.services.groups.provide({ name: "visitors", description: "come and go", is_managed: false });
      const all = (await moderator.get(`/api/groups?size=50${everywhere}`)).body;
      expect(all.sortBy).toBe("name");
      expect(all).not.toHaveProperty("page");
      const { is_managed } = all.aggregations;
      expect(is_managed.label).toBe("Management state");
      const unmanaged = (await moderator.get(`/api/groups?is_managed=false${everywhere}`)).body;
      expect(unmanaged.hits.hits.map(({ id }: { id: string }) => id)).toEqual(["visitors"]);
      expect(unmanaged.links.self).toContain("is_managed=false");
      expect(unmanaged.aggregations.is_managed.buckets).toEqual(
        is_managed.buckets.map((bucket: { key: string }) => ({ ...bucket, is_selected: bucket.key === "false" })),
      );
      // The first value of a repeated `scope` counts, too (hosts-and-sync 3).
      const either = (await moderator.get(`/api/groups?is_managed=no&is_managed=1&size=50${everywhere}&scope=local`))
        .body;
      expect(either.hits.total, "search 8: the same name repeated is OR").toBe(all.hits.total);
      expect(either.links.self).toContain("is_managed=false&is_managed=true");
      expect(
        either.aggregations.is_managed.buckets.map((bucket: { is_selected: boolean }) => bucket.is_selected),
      ).toEqual([true, true]);
      expect((await moderator.get(`/api/groups?is_managed=true&is_managed=perhaps${everywhere}`)).status).toBe(400);
      expect((await moderator.get(`/api/groups?is_managed=perhaps${everywhere}`)).body.errors[0].field).toBe(
        "is_managed",
      );
      expect((await moderator.get(`/api/groups?size=51${everywhere}`)).body.errors).toEqual([
        { field: "size", messages: ["Page size cannot be greater than 50."] },
      ]);
      expect((await moderator.get(`/api/groups?size=1e2${everywhere}`)).body.errors, "one item per field").toEqual([
        { field: "size", messages: ["Not a valid integer."] },
      ]);
      expect((await moderator.get(`/api/groups?sort=unmanaged&size=1${everywhere}`)).body.hits.hits[0].id).toBe(
        "visitors",
      );
      expect((await moderator.get(`/api/groups?q=come${everywhere}`)).body).toMatchObject({
        ...{ sortBy: "bestmatch", hits: { total: 1 } },
      });
      const ada = (await (await api.as("ada")).get(`/api/groups?${everywhere}`)).body;
      expect(ada.hits.hits.map(({ id }: { id: string }) => id)).toEqual(["visitors"]);
    });

    test("every route of groups is in the matrix", () => {
      const item = ["GET", "PUT", "DELETE"].map((verb) => `${verb} /groups/:id`);
      const known = ["GET /groups", "POST /groups", ...item, "GET /groups/:id/avatar.svg"];
      expect(listRoutes(api).filter((route) => / \/groups/.test(route))).toEqual(known);
    });

    test("DELETE 204: memberships go with it, and grants; the name may be created again", async () => {
      const [admin, ada, bob] = [await api.as("admin"), await api.as("ada"), await api.as("bob")];
      await admin.post("/api/groups", { name: "Readers" });
      const members = `/api/users/${await api.idOf("bob")}/groups`;
      await admin.post(members, { groups: ["Readers"] });
      const access = { record: "restricted", files: "restricted" };
      const record = `/api/records/${await givenRecord(ada, { ...withoutFiles, access })}`;
      const grants = [{ permission: "view", subject: { type: "role", id: "Readers" } }];
      await ada.post(`${record}/access/grants`, { grants });
      expect((await bob.get(record)).status).toBe(200);
      expect((await admin.delete("/api/groups/Readers")).status).toBe(204);
      expect((await bob.get(record)).status).toBe(403);
      expect((await admin.get(members)).body.groups).toEqual([]);
      expect((await ada.get(`${record}/access/grants`)).body.hits.total).toBe(0);
      expect((await admin.post("/api/groups", { name: "Readers" })).status).toBe(201);
      await admin.post(members, { groups: ["Readers"] });
      expect((await bob.get(record)).status, "another group of that name").toBe(403);
    });

    test("avatar of a group: CHAR and colour in the ETag", async () => {
      const answer = await (await api.as("ada")).get("/api/groups/visitors/avatar.svg");
      expect(answer.headers.get("etag")).toMatch(/^"V#[0-9a-f]{6}"$/);
      expect(answer.headers.get("content-type")).toBe("image/svg+xml; charset=utf-8");
    });
  });
});
