import { describe, expect, test } from "vitest";
import { newUser } from "../../shared/users/user.schema.ts";
import { type Api, startApi } from "../support/api.ts";
import { addFile, givenDraft as draftWithFiles } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { givenDraft, givenRecord, metadata } from "../support/records.ts";
import { comment, givenSubmitted, publishable } from "../support/reviews.ts";

async function paused(api: Api, name: string): Promise<HttpClient> {
  await api.waitForSync();
  const client = await api.as(name);
  await client.post("/api/sync/pause");
  return client;
}

describe("what a replica answers offline (hosts-and-sync 3)", () => {
  test("passed to the server; offline 503, message says that the server is needed; nothing is queued", async () => {
    const api = await startApi("replica");
    await api.as("bob");
    const { draft, request } = await givenSubmitted(api, "alice", "bob");
    const alice = await api.as("alice");
    const other = (await alice.post("/api/records", publishable())).body.id;
    const record = (await alice.post("/api/records", publishable())).body.id;
    await alice.post(`/api/records/${record}/draft/actions/publish`);
    await paused(api, "alice");
    const bob = await api.idOf("bob");
    const calls: [string, string, unknown?][] = [
      ["POST", `/api/records/${other}/draft/pids/doi`],
      ["DELETE", `/api/records/${other}/draft/pids/doi`],
      ["POST", "/api/groups", { name: "x-group" }],
      ["PUT", "/api/groups/x-group", {}],
      ["DELETE", "/api/groups/x-group"],
      ["GET", `/api/users/${bob}/groups`],
      ["POST", `/api/users/${bob}/groups`, {}],
      ["PUT", `/api/users/${bob}/groups`, {}],
      ["DELETE", `/api/users/${bob}/groups`, {}],
      ["GET", "/api/tokens"],
      ["POST", "/api/tokens", { name: "x" }],
      ["POST", "/api/login", {}],
      ["POST", "/api/logout"],
      ["PUT", `/api/requests/${request}`, {}],
      ["DELETE", `/api/requests/${request}`],
      ["POST", `/api/requests/${request}/lock`],
      ["POST", `/api/requests/${request}/unlock`],
      ["POST", `/api/records/${record}/requests`, {}],
      ["DELETE", `/api/records/${record}/delete`, {}],
      ["POST", `/api/records/${record}/restore`],
      ["POST", `/api/records/${record}/request-deletion`, {}],
      ["PUT", `/api/records/${record}/access`, {}],
      ["GET", "/api/records?scope=server"],
      ["GET", "/api/requests?scope=server"],
      ["GET", "/api/users?scope=server"],
      ["GET", "/api/groups?scope=server"],
      ["GET", "/api/vocabularies/languages?scope=server"],
      ["GET", "/api/user/records?scope=server"],
      ["GET", "/api/records/abcde-fgh23"],
      ["GET", "/api/records/abcde-fgh23/draft"],
      ["GET", "/api/records/abcde-fgh23/files/a/content"],
      ["GET", "/api/requests/0190c7a0-0000-7000-8000-000000000000"],
      ["GET", "/api/requests/0190c7a0-0000-7000-8000-000000000000/timeline"],
      ["GET", "/api/users/4711"],
      ["GET", "/api/groups/nobody-here"],
      ["POST", "/api/records/abcde-fgh23/draft"],
      ["POST", "/api/records/abcde-fgh23/versions"],
      ["PUT", "/api/records/abcde-fgh23/draft", {}],
    ];
    void draft;
    for (const [method, path, body] of calls) {
      const answer = await alice.call(method, path, body);
      expect.soft(`${answer.status} ${answer.body?.message}`, `${method} ${path}`).toMatch(/^503 .*server/i);
    }
    for (const [method, path] of [
      ["POST", "/api/users"],
      ["PUT", `/api/users/${bob}`],
      ["DELETE", `/api/users/${bob}`],
    ] as const) {
      expect.soft((await alice.call(method, path)).status, `${method} ${path} (requests 12)`).toBe(405);
    }
    expect((await alice.get("/api/sync/operations")).body.hits.total).toBe(0);
  });

  test("search answers what is held here with Sync-Scope: local; ?scope=server is passed to the server", async () => {
    const api = await startApi("replica");
    const alice = await api.as("alice");
    const bob = await api.as("bob");
    const held = (await alice.post("/api/records", {})).body.id;
    const record = (await bob.post("/api/records", publishable("Held by Bob alone"))).body.id;
    await bob.post(`/api/records/${record}/draft/actions/publish`);
    for (const path of [
      "/api/records",
      "/api/user/records",
      "/api/requests",
      "/api/users",
      "/api/groups",
      "/api/vocabularies/languages",
      `/api/records/${held}/requests`,
    ]) {
      expect.soft((await alice.get(path)).headers.get("sync-scope"), path).toBe("local");
    }
    expect((await alice.get("/api/records")).body.hits.total).toBe(0);
    const wide = await alice.get("/api/records?page=2&size=1&scope=server");
    expect(wide.headers.get("sync-scope")).toBeNull();
    expect(wide.body.hits.total).toBe(1);
    expect(wide.body.links).toEqual({
      self: `${alice.url}/api/records?page=2&scope=server&size=1&sort=newest`,
      prev: `${alice.url}/api/records?page=1&scope=server&size=1&sort=newest`,
    });
    const [hit] = (await alice.get(wide.body.links.prev)).body.hits.hits;
    expect(hit.links.self).toBe(`${alice.url}/api/records/${record}`);
    for (const path of ["/api/records?scope=server", "/api/tokens"]) {
      const headers = { "x-request-id": "mine", "accept-encoding": "gzip" };
      const [got, head] = [await alice.get(path, { headers }), await alice.head(path, { headers })];
      for (const name of ["content-length", "content-encoding", "x-request-id", "vary"]) {
        const value = got.headers.get(name);
        expect.soft(head.headers.get(name), `HEAD ${path}: ${name} (search-and-conventions 11)`).toBe(value);
      }
      expect.soft(got.headers.get("content-encoding"), "compression of what the server said").toBe("gzip");
      expect.soft(got.headers.get("x-request-id"), "a sent value is returned").toBe("mine");
    }
    expect((await alice.get(`/api/records/${record}`)).status).toBe(200);
    expect((await alice.get("/api/records")).body.hits.total).toBe(1);
    await paused(api, "alice");
    expect((await alice.get(`/api/records/${record}`)).status).toBe(200);
    expect((await alice.get(`/api/users/${await api.idOf("bob")}`)).status).toBe(200);
  });

  test("a body carries sync when the object has something unsent: drafts, comments, links, grants, also in lists", async () => {
    const api = await startApi("replica");
    await api.as("bob");
    const { request } = await givenSubmitted(api, "alice", "bob");
    const alice = await paused(api, "alice");
    const draft = await draftWithFiles(alice);
    const path = `/api/records/${draft}`;
    await addFile(alice, draft, "a.txt", "bytes");
    const link = await alice.post(`${path}/access/links`, { permission: "view" });
    expect.soft(link.status).toBe(201);
    expect.soft(link.body.sync, "link").toMatchObject({ state: "pending" });
    const grant = await alice.post(`${path}/access/grants`, {
      grants: [
        { subject: { type: "user", id: await api.idOf("bob") }, permission: "view" },
        { subject: { type: "system_role", id: "any_user" }, permission: "view" },
      ],
    });
    expect.soft(grant.status, grant.text).toBe(201);
    const note = await alice.post(`/api/requests/${request}/comments`, comment("offline"));
    expect.soft(note.status).toBe(201);
    expect
      .soft(note.body.sync, "comment")
      .toMatchObject({ state: "pending", operations: [{ kind: "comment.create" }] });
    const unknownGrant = await alice.post(`${path}/access/grants`, {
      grants: [{ subject: { type: "user", id: "987654" }, permission: "view" }],
    });
    expect.soft(unknownGrant.status, unknownGrant.text).toBe(201);
    const look = async (where: string) => (await alice.get(where)).body;
    expect.soft((await look(`${path}/draft`)).sync).toMatchObject({ state: "pending" });
    expect
      .soft((await look("/api/user/records")).hits.hits[0].sync, "list of drafts")
      .toMatchObject({ state: "pending" });
    expect
      .soft((await look(`${path}/access/links`)).hits.hits[0].sync, "list of links")
      .toMatchObject({ state: "pending" });
    expect.soft((await look(`${path}/access/links/${link.body.id}`)).sync, "link").toMatchObject({ state: "pending" });
    const grants = (await look(`${path}/access/grants`)).hits.hits;
    expect.soft(grants.map(({ sync }: { sync?: { state: string } }) => sync?.state)).toEqual(Array(3).fill("pending"));
    expect
      .soft((await look(`/api/requests/${request}/comments/${note.body.id}`)).sync, "comment")
      .toMatchObject({ state: "pending" });
    const timeline = (await look(`/api/requests/${request}/timeline`)).hits.hits;
    expect.soft(timeline.at(-1).sync, "timeline").toMatchObject({ state: "pending" });
    const operations = (await look("/api/sync/operations")).hits.hits;
    for (const operation of operations) {
      expect
        .soft(Object.keys(operation).sort())
        .toEqual(
          ["attempts", "bytes", "created", "id", "kind", "next_attempt", "object", "reason", "state", "title"].sort(),
        );
      expect.soft(operation.created).toMatch(/\+00:00$/);
    }
    expect.soft(operations.map((one: { id: string }) => one.id)).toContain(note.body.sync.operations[0].id);
    const cancel = await alice.post(`/api/requests/${request}/actions/cancel`);
    expect.soft(cancel.status).toBe(202);
    expect
      .soft(cancel.body)
      .toMatchObject({ status: "submitted", sync: { state: "pending", operations: [{ kind: "request.cancel" }] } });
    expect
      .soft((await look("/api/requests")).hits.hits[0].sync, "list of requests")
      .toMatchObject({ state: "pending" });
    expect.soft((await alice.post(`/api/requests/${request}/actions/accept`)).status, "wrong person").toBe(403);
    await alice.post("/api/sync/resume");
    await api.waitForSync();
    const server = await api.onServer("alice");
    expect.soft((await server.get(`${path}/access/links/${link.body.id}`)).body.token).toBe(link.body.token);
    const tray = (await alice.get("/api/sync/tray")).body.hits.hits;
    expect.soft(tray.map((entry: { kind: string }) => entry.kind)).toEqual(["access-grant.create"]);
    for (const entry of tray) {
      expect
        .soft(Object.keys(entry).sort())
        .toEqual(["created", "id", "kind", "object", "operation", "reason", "refused", "server"].sort());
    }
    expect
      .soft((await alice.get("/api/sync/status")).body)
      .toMatchObject({ state: "needs_you", rejected: 1, pending: 0 });
  });

  test("GET of a record, draft, request, user or group never held here: fetched from the server (its 403 is passed on), kept", async () => {
    const api = await startApi("replica");
    const [alice, bob] = [await api.as("alice"), await api.idOf("bob")];
    const { groups, users } = api.server.services;
    await groups.provide({ name: "crew", description: "On board", is_managed: false });
    await groups.provide({ name: "inside", description: null, is_managed: true });
    const shut = await users.create(
      newUser.parse({ username: "shut", email: "shut@example.org", visibility: "restricted" }),
    );
    const direct = await api.onServer("alice");
    const theirs = await api.onServer("carl");
    const [record, draft] = [await givenRecord(theirs), await givenDraft(theirs)];
    const ofRecords = [record, `${record}/draft`, draft, `${draft}/draft`, "zzzzz-zzzzz"].map((id) => `records/${id}`);
    const unheld = [...ofRecords, "requests/11111111-1111-4111-8111-111111111111"].map((path) => `/api/${path}`);
    for (const [at, status] of [200, 404, 404, 403, 404, 404].entries()) {
      const [here, there] = [await alice.get(unheld[at] ?? ""), await direct.get(unheld[at] ?? "")];
      expect([unheld[at], here.status, here.body.message]).toEqual([unheld[at], status, there.body.message]);
    }
    const paths = [`/api/users/${bob}`, "/api/groups/crew"];
    const kept: Record<string, unknown> = {};
    for (const path of paths) {
      kept[path] = (await alice.get(path)).body;
      const { links, ...expected } = (await direct.get(path)).body;
      expect(kept[path]).toMatchObject(expected);
      expect((await alice.get(`${path}/avatar.svg`)).headers.get("etag")).toBe(
        (await direct.get(`${path}/avatar.svg`)).headers.get("etag"),
      );
    }
    const refused = [`/api/users/${shut}`, "/api/users/999", "/api/groups/inside", "/api/groups/nowhere"];
    for (const path of refused) {
      expect((await alice.get(path)).body, path).toEqual({ status: 403, message: "Permission denied." });
    }
    expect((await (await api.replicaOf("alice")).host.db.selectFrom("membership").selectAll().execute()).length).toBe(
      0,
    );
    // Objects that the replica holds are kept up to date.
    await (await api.onServer("admin")).put("/api/groups/crew", { description: "Ashore" });
    await api.waitForSync();
    await alice.post("/api/sync/pause");
    expect((await alice.get(paths[0] ?? "")).body).toEqual(kept[paths[0] ?? ""]);
    expect((await alice.get("/api/groups/crew")).body).toMatchObject({ description: "Ashore", revision_id: 2 });
    expect((await alice.get("/api/groups?q=crew")).body.hits.total).toBe(1);
    expect((await alice.get(refused[0] ?? "")).status).toBe(503);
    for (const path of unheld) expect((await alice.get(path)).status, path).toBe(path === unheld[0] ? 200 : 503);
    await alice.post("/api/sync/resume");
    await users.deactivate(bob);
    await expect.poll(async () => (await alice.get(`/api/users/${bob}`)).status).toBe(403);
    const carl = await api.idOf("carl");
    await users.deactivate(carl);
    expect((await alice.get(`/api/users/${carl}`)).status, "inactive; a card of before (requests 12)").toBe(403);
  });

  test("a draft discarded offline is 404, held or not on the server", async () => {
    const api = await startApi("replica");
    const alice = await api.as("alice");
    const known = (await alice.post("/api/records", publishable())).body.id;
    await paused(api, "alice");
    const fresh = (await alice.post("/api/records", publishable())).body.id;
    for (const id of [known, fresh]) {
      expect.soft((await alice.delete(`/api/records/${id}/draft`)).status).toBe(204);
      expect.soft((await alice.get(`/api/records/${id}/draft`)).status, id).toBe(404);
    }
    await alice.post("/api/sync/resume");
    await api.waitForSync();
    for (const id of [known, fresh]) {
      expect.soft((await alice.get(`/api/records/${id}/draft`)).status, id).toBe(404);
    }
    await paused(api, "alice");
    expect.soft((await alice.get(`/api/records/${known}/draft`)).status, "later, offline").toBe(404);
  });

  test("create, edit, delete a draft; files of a draft; order, preview; POST /draft, POST /versions of a record held here: offline at once, then sent", async () => {
    const api = await startApi("replica");
    const alice = await api.as("alice");
    const record = (await alice.post("/api/records", publishable())).body.id;
    await alice.post(`/api/records/${record}/draft/actions/publish`);
    await paused(api, "alice");
    expect.soft((await alice.post(`/api/records/${record}/draft`)).status).toBe(201);
    const version = await alice.post(`/api/records/${record}/versions`);
    expect.soft(version.status).toBe(201);
    expect.soft(version.body.sync).toMatchObject({ state: "pending", operations: [{ kind: "draft.new-version" }] });
    const again = await alice.post(`/api/records/${record}/versions`);
    expect.soft(again.body.id).toBe(version.body.id);
    const draft = (await alice.post("/api/records", { metadata })).body.id;
    for (const key of ["first.txt", "second.txt"]) await addFile(alice, draft, key, key);
    const files = { enabled: true, order: ["second.txt"], default_preview: "second.txt" };
    await alice.put(`/api/records/${draft}/draft`, { metadata, files });
    await alice.post("/api/sync/resume");
    await api.waitForSync();
    const server = await api.onServer("alice");
    expect.soft((await server.get(`/api/records/${version.body.id}/draft`)).status).toBe(200);
    expect.soft((await server.get(`/api/records/${draft}/draft`)).body.files).toMatchObject(files);
    expect.soft((await alice.get("/api/sync/status")).body.state).toBe("up_to_date");
  });
});
