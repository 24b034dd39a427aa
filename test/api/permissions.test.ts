import { beforeAll, describe, expect, test } from "vitest";
import type { Api } from "../support/api.ts";
import { type Role, roles, startApi } from "../support/api.ts";
import type { Answer, HttpClient } from "../support/http-client.ts";
import { otherRows } from "../support/permission-rows.ts";
import { givenDraft, givenRecord, metadata, withoutFiles } from "../support/records.ts";
import { listRoutes } from "../support/routes.ts";

/** The levels of records 2, and callers without any. */
type Needed = "anybody" | "signed-in" | "view" | "preview" | "edit" | "update" | "manage" | "admin" | "nobody";

/** Callers: name, and level on the family. A reviewer may only read and update the draft under review. */
const callers: [string, string][] = [
  ["anonymous", "anybody"],
  ["other", "signed-in"],
  ["owner", "manage"],
  ["admin", "admin"],
  ["moderator", "preview"],
  ["reviewer", "update"],
  ["link view", "view"],
  ["link preview", "preview"],
  ["link edit", "edit"],
  ["grant view", "view"],
  ["grant preview", "preview"],
  ["grant edit", "edit"],
  ["grant manage", "manage"],
  ["group view", "view"],
  ["group preview", "preview"],
  ["group edit", "edit"],
  ["group manage", "manage"],
];

const rank = ["anybody", "signed-in", "view", "preview", "update", "edit", "manage", "admin", "nobody"];
const isSignedIn = (caller: string) => caller !== "anonymous" && !caller.startsWith("link");

function isAllowed(caller: string, level: string, needed: Needed | readonly string[]): boolean {
  if (typeof needed !== "string") return needed.includes(caller);
  if (needed === "signed-in") return isSignedIn(caller);
  return rank.indexOf(level) >= rank.indexOf(needed);
}

/** Calls about the caller's own account answer 401 to anonymous callers (requests-users-groups 2.3). */
const asksWho = (path: string) =>
  /^\/api\/(me|tokens|change-password|user\/(sessions|identities|second-factor))/.test(path);

const stale = { headers: { "if-match": "999999" } };
const json = { headers: { "content-type": "application/json" } };

/**
 * One row for each route: the level it needs, and a call that changes nothing even if permitted (refused for its state
 * or body after the permission check). `D` is a draft under review, `R` a restricted record with an edit draft.
 */
const rows: [route: string, needed: Needed | readonly string[], path: string, body?: unknown, options?: object][] = [
  ["GET /records", "anybody", "/api/records"],
  ["POST /records", "signed-in", "/api/records", []],
  ["GET /user/records", "signed-in", "/api/user/records"],
  ["GET /records/:id", "view", "/api/records/R"],
  ["GET /records/:id/draft", "preview", "/api/records/D/draft"],
  ["PUT /records/:id/draft", "update", "/api/records/D/draft", []],
  ["POST /records/:id/draft", "edit", "/api/records/R/draft"],
  ["DELETE /records/:id/draft", "edit", "/api/records/R/draft", undefined, stale],
  ["DELETE /records/:id/draft", "edit", "/api/records/D/draft", undefined, stale],
  ["POST /records/:id/draft/actions/publish", "update", "/api/records/D/draft/actions/publish"],
  ["POST /records/:id/draft/actions/publish", "edit", "/api/records/R/draft/actions/publish"],
  ["POST /records/:id/draft/pids/doi", "update", "/api/records/D/draft/pids/doi"],
  ["DELETE /records/:id/draft/pids/doi", "edit", "/api/records/R/draft/pids/doi"],
  ["GET /records/:id/draft/publication-doi", "preview", "/api/records/D/draft/publication-doi"],
  ["GET /records/:id/draft/review", "preview", "/api/records/D/draft/review"],
  ["PUT /records/:id/draft/review", "manage", "/api/records/D/draft/review", {}],
  ["DELETE /records/:id/draft/review", "manage", "/api/records/D/draft/review"],
  ["POST /records/:id/draft/actions/submit-review", "manage", "/api/records/D/draft/actions/submit-review"],
  ["POST /records/:id/draft/actions/files-import", "edit", "/api/records/R/draft/actions/files-import"],
  ["POST /records/:id/draft/actions/files-rename", "update", "/api/records/D/draft/actions/files-rename", {}],
  ["POST /records/:id/draft/actions/files-remove", "edit", "/api/records/R/draft/actions/files-remove", {}],
  ["GET /records/:id/draft/files", "preview", "/api/records/D/draft/files"],
  ["POST /records/:id/draft/files", "update", "/api/records/D/draft/files", {}],
  ["DELETE /records/:id/draft/files", "edit", "/api/records/R/draft/files"],
  ["GET /records/:id/draft/files-archive", "preview", "/api/records/D/draft/files-archive"],
  ["GET /records/:id/draft/removed-files", "update", "/api/records/D/draft/removed-files"],
  ["POST /records/:id/draft/removed-files/:version/restore", "update", "/api/records/D/draft/removed-files/x/restore"],
  ["* /records/:id/draft/files/*path", "preview", "/api/records/R/draft/files/a.txt"],
  ["* /records/:id/draft/files/*path", "preview", "/api/records/R/draft/files/a.txt/content"],
  ["GET /records/:id/files", "view", "/api/records/R/files"],
  ["GET /records/:id/files-archive", "view", "/api/records/R/files-archive"],
  ["* /records/:id/files/*path", "view", "/api/records/R/files/a.txt"],
  ["* /records/:id/files/*path", "view", "/api/records/R/files/a.txt/content"],
  ["* /sync/drafts/:id/files/*path", "preview", "/api/sync/drafts/R/files/a.txt/container"],
  ["GET /records/:id/versions", "view", "/api/records/R/versions"],
  ["POST /records/:id/versions", "edit", "/api/records/R/versions"],
  ["GET /records/:id/versions/latest", "view", "/api/records/R/versions/latest"],
  ["GET /records/:id/access/links", "manage", "/api/records/R/access/links"],
  ["POST /records/:id/access/links", "manage", "/api/records/D/access/links", {}],
  ["GET /records/:id/access/links/:link", "manage", "/api/records/R/access/links/x"],
  ["PATCH /records/:id/access/links/:link", "manage", "/api/records/R/access/links/x", {}],
  ["DELETE /records/:id/access/links/:link", "manage", "/api/records/R/access/links/x"],
  ["GET /records/:id/access/grants", "manage", "/api/records/R/access/grants"],
  ["POST /records/:id/access/grants", "manage", "/api/records/R/access/grants", {}],
  ...(["GET", "PUT", "PATCH", "DELETE"] as const).map(
    (verb) =>
      [
        `${verb} /records/:id/access/grants/:n`,
        "manage",
        "/api/records/R/access/grants/99",
        verb === "GET" ? undefined : {},
      ] as const,
  ),
  ...["users", "groups"].flatMap((kind) => [
    [`GET /records/:id/access/${kind}`, "manage", `/api/records/R/access/${kind}`] as const,
    ...(["GET", "PATCH", "DELETE"] as const).map(
      (verb) =>
        [
          `${verb} /records/:id/access/${kind}/:subject`,
          "manage",
          `/api/records/R/access/${kind}/x`,
          verb === "GET" ? undefined : {},
        ] as const,
    ),
  ]),
  ["PUT /records/:id/access", "manage", "/api/records/R/access", { colour: 1 }],
  ["DELETE /records/:id/delete", "admin", "/api/records/R/delete", undefined, stale],
  ["POST /records/:id/restore", "admin", "/api/records/R/restore"],
  ["POST /records/:id/request-deletion", "nobody", "/api/records/R/request-deletion"],
  ["GET /records/:id/communities", "view", "/api/records/R/communities"],
  ["GET /records/:id/communities-suggestions", "view", "/api/records/R/communities-suggestions"],
  ["POST /records/:id/access/request", "view", "/api/records/R/access/request", {}],
  ["GET /records/:id/requests", "view", "/api/records/R/requests"],
  ["POST /records/:id/requests", "manage", "/api/records/R/requests", {}],
  ...otherRows,
].map(([route, needed, path, body, options]) => [route, needed, path, body, options]) as [
  string,
  Needed | readonly string[],
  string,
  unknown,
  object,
][];

interface World {
  api: Api;
  draft: string;
  record: string;
  /** The request of the draft's review, and the owner's comment in it. */
  request: string;
  comment: string;
  links: Map<string, string>;
}

const isOfDraft = (path: string) => /[/:][DQ]([/:]|$)/.test(path);

/** Makes the call of a row. @param token of an access link. */
async function callAs(world: World, client: HttpClient, row: (typeof rows)[number], token?: string): Promise<Answer> {
  const [route, , path, body, options] = row;
  const { draft, record, request, comment } = world;
  const names: Record<string, string> = { D: draft, R: record, Q: request, C: comment };
  const url = path.replace(/(?<=[/:])[DRQC](?=[/:]|$)/, (name) => names[name] ?? name).replace("/C", `/${comment}`);
  const verb = route.startsWith("* ") ? "GET" : (route.split(" ")[0] ?? "GET");
  return client.call(verb, token === undefined ? url : `${url}?token=${token}`, body, options ?? json);
}

/** A call without effect, such as `DELETE` of an absent object: see `rows`. */
async function call(world: World, caller: string, row: (typeof rows)[number]): Promise<Answer> {
  const { api, links } = world;
  const token = links.get(`${caller} ${isOfDraft(row[2]) ? "D" : "R"}`);
  const client: HttpClient = isSignedIn(caller) ? await api.as(caller.replace(" ", "-")) : api.anonymous;
  return callAs(world, client, row, token);
}

async function share(owner: HttpClient, api: Api, id: string, key: string, links: Map<string, string>): Promise<void> {
  for (const permission of ["view", "preview", "edit"]) {
    links.set(
      `link ${permission} ${key}`,
      (await owner.post(`/api/records/${id}/access/links`, { permission })).body.token,
    );
  }
  for (const permission of ["view", "preview", "edit", "manage"]) {
    const subject = { type: "user", id: await api.idOf(`grant-${permission}`) };
    await owner.post(`/api/records/${id}/access/grants`, { grants: [{ permission, subject }] });
    const group = { type: "role", id: `level-${permission}` };
    await owner.post(`/api/records/${id}/access/grants`, { grants: [{ permission, subject: group }] });
  }
}

async function givenWorld(role: Role): Promise<World> {
  const api = await startApi(role);
  const owner = await api.as("owner");
  const admin = await api.as("admin");
  for (const permission of ["view", "preview", "edit", "manage"]) {
    const name = `level-${permission}`;
    await admin.post("/api/groups", { name });
    await admin.post(`/api/users/${await api.idOf(`group-${permission}`)}/groups`, { groups: [name] });
  }
  await admin.post("/api/collections", { slug: "kept", title: "Kept", query: "*", group: "level-view" });
  const links = new Map<string, string>();
  const access = { record: "restricted", files: "restricted" };
  const draft = await givenDraft(owner, { ...withoutFiles, access });
  const receiver = { user: await api.idOf("reviewer") };
  const request = (await owner.put(`/api/records/${draft}/draft/review`, { receiver })).body.id;
  expect((await owner.post(`/api/records/${draft}/draft/actions/submit-review`)).status).toBe(202);
  const posted = await owner.post(`/api/requests/${request}/comments`, {
    about: { field: "metadata.title" },
    payload: { content: "Please" },
  });
  const record = await givenDraft(owner, { access, metadata });
  await owner.post(`/api/records/${record}/draft/files`, [{ key: "a.txt" }]);
  await owner.putBytes(`/api/records/${record}/draft/files/a.txt/content`, "text");
  await owner.post(`/api/records/${record}/draft/files/a.txt/commit`);
  expect((await owner.post(`/api/records/${record}/draft/actions/publish`)).status).toBe(202);
  await owner.post(`/api/records/${record}/draft`);
  await owner.put(`/api/records/${record}/draft`, { metadata: {} });
  await share(owner, api, draft, "D", links);
  await share(owner, api, record, "R", links);
  return { api, draft, record, request, comment: posted.body.id, links };
}

/** A replica serves only its user, so one of each kind of grant is enough there. */
const callersOn = (role: Role) => (role === "server" ? callers : callers.filter(([name]) => onReplica.includes(name)));
const onReplica = ["other", "owner", "admin", "moderator", "reviewer", "grant view", "grant edit", "group preview"];

describe.each(roles)("who may do what on the %s (records 2)", (role) => {
  let world: World;
  beforeAll(async () => {
    world = await givenWorld(role);
    return () => world.api.close();
  });

  test.each(rows)("%s needs %s: %s", async (...row) => {
    const [, needed, path] = row;
    const wrong: string[] = [];
    for (const [caller, level] of callersOn(role)) {
      // The review is of the draft D alone: a reviewer has no level on the record R.
      const held = caller === "reviewer" && !isOfDraft(path) ? "signed-in" : level;
      const { status, body } = await call(world, caller, row);
      // A locked or disabled file set is a 403 too, with another message.
      const isUnknown = status === 401 && caller !== "other" && !isSignedIn(caller) && asksWho(path);
      const isRefused = isUnknown || (status === 403 && body?.message === "Permission denied.");
      if ((status === 401 && !isUnknown) || status >= 500 || isRefused === isAllowed(caller, held, needed))
        wrong.push(`${caller}: ${status}`);
    }
    expect(wrong).toEqual([]);
  });

  // A replica has one credential: the secret of its start.
  if (role === "server") {
    test("a token that ended opens nothing, one that only reads changes nothing", async () => {
      const { api } = world;
      const owner = await api.as("owner");
      const tokenOf = async (client: HttpClient, scopes: string[]) =>
        (await client.post("/api/tokens", { name: "less", scopes })).body;
      const revoked = await tokenOf(owner, ["read", "write", "tokens"]);
      await owner.delete(`/api/tokens/${revoked.id}`);
      const deleted = await api.as("deactivated");
      await api.server.services.users.deactivate(await api.idOf("deactivated"));
      const reader = owner.withToken((await tokenOf(owner, ["read"])).token);
      const wrong: string[] = [];
      for (const row of rows) {
        const [route, , path] = row;
        for (const [name, client] of [
          ["revoked", owner.withToken(revoked.token)] as const,
          ["deactivated", deleted] as const,
        ]) {
          const { status } = await callAs(world, client, row);
          if (status !== 401) wrong.push(`${name}: ${route} ${status}`);
        }
        const isRead = /^(GET|\*) /.test(route);
        const needsMore = isRead
          ? /^\/api\/(tokens|sync\/(?!drafts))/.test(path)
          : !/^\/api\/(log(in|out)|stats)$/.test(path);
        const { status, body } = await callAs(world, reader, row);
        if ((status === 403 && body?.error === "insufficient_scope") !== needsMore)
          wrong.push(`reader: ${route} ${status}`);
      }
      expect(wrong).toEqual([]);
    });
  }

  test("every route has a row", () => {
    const known = new Set(rows.map(([route]) => route));
    // Health checks need no caller; bytes by digest are for sync (blobs.test.ts); the last call ends the session.
    const isElsewhere = (route: string) => / \/(ping|healthz|sync\/blobs|tokens\/current)/.test(route);
    const routes = listRoutes(world.api).filter((route) => !isElsewhere(route));
    expect(routes.filter((route) => !known.has(route))).toEqual([]);
    expect(routes.length).toBeGreaterThan(100);
  });

  test("public files and public metadata ask for nothing", async () => {
    const { api } = world;
    const owner = await api.as("owner");
    const open = await givenRecord(owner);
    for (const path of ["", "/files", "/versions", "/versions/latest"]) {
      expect((await api.anonymous.get(`/api/records/${open}${path}`)).status).toBe(200);
    }
    const half = await givenRecord(owner, { ...withoutFiles, access: { record: "public", files: "restricted" } });
    expect((await api.anonymous.get(`/api/records/${half}`)).body.files).toEqual({ enabled: false });
    expect((await api.anonymous.get(`/api/records/${half}/files`)).status).toBe(403);
  });
});
