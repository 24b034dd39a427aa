import { beforeAll, describe, expect, test } from "vitest";
import { deskEvents } from "../../server/desk-events.ts";
import { liveRoutes } from "../../server/sync/live/live.routes.ts";
import { syncRoutes } from "../../server/sync/sync.routes.ts";
import { commandHandlers } from "../../shared/api.ts";
import { createCommentDrafts } from "../../shared/comments/comment-draft.service.ts";
import { callerOwns } from "../../shared/desk/desk-owner.ts";
import { presenceRoutes } from "../../shared/live-events/presence.routes.ts";
import { deskRouters } from "../../shared/wiring/desk-routers.ts";
import { type Api, startApi } from "../support/api.ts";
import type { HttpClient } from "../support/http-client.ts";
import { givenRecord, withoutFiles } from "../support/records.ts";
import { listRoutes } from "../support/routes.ts";

/** `person`: any account with permission to write, because a replica sends and fetches (hosts-and-sync 6). */
type Needed = "anybody" | "person" | "view";

/** One row for each route that only the server has. `R` is a restricted record. */
const rows: readonly [route: string, needed: Needed, path: string, body?: unknown][] = [
  ["POST /api/sync/replicas", "person", "/api/sync/replicas", {}],
  ["POST /api/sync/leases", "person", "/api/sync/leases", {}],
  ["POST /api/sync/push", "person", "/api/sync/push", {}],
  ["GET /api/sync/changes", "person", "/api/sync/changes?limit=0"],
  ["GET /api/sync/hello", "person", "/api/sync/hello"],
  ["GET /api/sync/settings", "person", "/api/sync/settings"],
  ["GET /api/sync/vocabularies", "person", "/api/sync/vocabularies?limit=0"],
  ["POST /api/sync/open", "view", "/api/sync/open", { kind: "record", id: "R" }],
  ["POST /api/sync/ticket", "person", "/api/sync/ticket", { document: "draft:R" }],
  ["GET /api/sync/documents/:room", "anybody", "/api/sync/documents/draft:R"],
  ["GET /api/sync/events", "person", "/api/sync/events"],
  ["PUT /api/sync/presence/:draft/:window", "person", "/api/sync/presence/nowhere/w", { field: null }],
  ["DELETE /api/sync/presence/:draft/:window", "anybody", "/api/sync/presence/nowhere/w"],
  ["GET /api/sync/person", "anybody", "/api/sync/person"],
  ["GET /api/sync/conflicts", "anybody", "/api/sync/conflicts"],
  ["POST /api/sync/conflicts/:id", "anybody", "/api/sync/conflicts/nowhere", { choose: "mine" }],
  ["GET /api/sync/desk/:shelf", "person", "/api/sync/desk/searches"],
  ["GET /api/sync/desk/:shelf/:key", "person", "/api/sync/desk/searches/a"],
  ["PUT /api/sync/desk/:shelf/:key", "person", "/api/sync/desk/searches/a", {}],
  ["DELETE /api/sync/desk/:shelf/:key", "person", "/api/sync/desk/searches/a"],
  ["GET /api/sync/comment-drafts/:request", "person", "/api/sync/comment-drafts/a"],
  ["PUT /api/sync/comment-drafts/:request", "person", "/api/sync/comment-drafts/a", {}],
  ["GET /api/sync/comment-drafts/:request/:place", "person", "/api/sync/comment-drafts/a/b"],
  ["PUT /api/sync/comment-drafts/:request/:place", "person", "/api/sync/comment-drafts/a/b", {}],
];

/** Callers; whether they have an account with permission to write, and whether they may view `R`. */
const callers = {
  anonymous: {},
  "link view": {},
  other: { isPerson: true },
  reader: {},
  revoked: {},
  deactivated: {},
  owner: { isPerson: true, mayView: true },
  admin: { isPerson: true, mayView: true },
  moderator: { isPerson: true, mayView: true },
  "grant view": { isPerson: true, mayView: true },
  "grant edit": { isPerson: true, mayView: true },
  "group view": { isPerson: true, mayView: true },
} as const satisfies Record<string, { isPerson?: boolean; mayView?: boolean }>;

type Caller = keyof typeof callers;
interface World {
  api: Api;
  record: string;
  linkToken: string;
  clients: Map<Caller, HttpClient>;
}

async function givenWorld(): Promise<World> {
  const api = await startApi();
  const [owner, admin] = [await api.as("owner"), await api.as("admin")];
  const record = await givenRecord(owner, { ...withoutFiles, access: { record: "restricted", files: "restricted" } });
  const grant = (permission: string, type: string, id: string) =>
    owner.post(`/api/records/${record}/access/grants`, { grants: [{ permission, subject: { type, id } }] });
  for (const permission of ["view", "edit"]) await grant(permission, "user", await api.idOf(`grant-${permission}`));
  await admin.post("/api/groups", { name: "readers" });
  await admin.post(`/api/users/${await api.idOf("group-view")}/groups`, { groups: ["readers"] });
  await grant("view", "role", "readers");
  const link = await owner.post(`/api/records/${record}/access/links`, { permission: "view" });
  const tokenOf = async (scopes: string[]) => (await owner.post("/api/tokens", { name: "less", scopes })).body;
  const revoked = await tokenOf(["read", "write"]);
  await owner.delete(`/api/tokens/${revoked.id}`);
  const deactivated = await api.as("deactivated");
  await api.server.services.users.deactivate(await api.idOf("deactivated"));
  const clients = new Map<Caller, HttpClient>([
    ["anonymous", api.anonymous],
    ["link view", api.anonymous],
    ["reader", owner.withToken((await tokenOf(["read"])).token)],
    ["revoked", owner.withToken(revoked.token)],
    ["deactivated", deactivated],
  ]);
  for (const name of ["other", "owner", "admin", "moderator", "grant view", "grant edit", "group view"] as const) {
    clients.set(name, await api.as(name.replace(" ", "-")));
  }
  return { api, record, linkToken: link.body.token, clients };
}

describe("who may call the server's own routes of sync (hosts-and-sync 6, security 1)", () => {
  let world: World;
  beforeAll(async () => {
    world = await givenWorld();
    return () => world.api.close();
  });

  test.each(rows)("%s is for %s: %s", async (route, needed, path, body) => {
    const { record, linkToken, clients } = world;
    const withId = (text: string) => text.replace(/(?<=[:"])R(?="|$)/, record);
    const wrong: string[] = [];
    for (const [caller, client] of clients) {
      const { isPerson = false, mayView = false }: { isPerson?: boolean; mayView?: boolean } = callers[caller];
      // A stream of events has no end.
      const [verb = ""] = route.endsWith("/events") ? ["HEAD"] : route.split(" ");
      const token = caller === "link view" ? `${path.includes("?") ? "&" : "?"}token=${linkToken}` : "";
      const sent = body === undefined ? undefined : JSON.parse(withId(JSON.stringify(body)));
      const { status } = await client.call(verb, withId(path) + token, sent);
      const isEnded = caller === "revoked" || caller === "deactivated";
      const lacksScope = caller === "reader";
      const isAllowed = needed === "anybody" || (isPerson && (needed === "person" || mayView));
      const expected = isEnded ? 401 : lacksScope || !isAllowed ? 403 : undefined;
      const isRefused = status === 401 || status === 403;
      if (status >= 500 || (expected === undefined ? isRefused : status !== expected))
        wrong.push(`${caller}: ${status}`);
    }
    expect(wrong).toEqual([]);
  });

  test("every route of sync that only the server has stands in a row", () => {
    const { host, services } = world.api.server;
    const closing = new AbortController();
    const tickets = { issue: async () => ({ ticket: "", expiresAt: 0 }), redeem: async () => undefined };
    const callbacks = {
      onChanged: () => {},
      ownerOf: callerOwns,
      commentDrafts: createCommentDrafts(host.db, () => {}),
    };
    const participants = { join: () => {}, leave: () => {}, peopleFor: () => [], onPeople: () => {}, tick: () => {} };
    const signal = { wait: () => ({ ended: Promise.resolve(), cancel: () => {} }), notify: () => {} };
    const { access } = services;
    const routers = [
      deskEvents({ host, access, participants, signal, closing: closing.signal }).routes,
      presenceRoutes(participants),
      ...deskRouters({ host, services, ...callbacks }),
      syncRoutes({ host, services, handlers: commandHandlers(services), closing: closing.signal }),
      liveRoutes(tickets),
    ];
    const known = new Set(rows.map(([route]) => route));
    const own = listRoutes(world.api, routers).filter((route) => / \/api\/sync\//.test(route));
    closing.abort();
    expect(own.filter((route) => !known.has(route))).toEqual([]);
    expect(own).toHaveLength(rows.length);
  });
});
