import { randomUUID } from "node:crypto";
import SQLite from "better-sqlite3";
import { sql } from "kysely";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { definedCommands } from "../../shared/kernel/command.ts";
import { recordIdFrom } from "../../shared/kernel/record-id.ts";
import { type Api, startApi } from "../support/api.ts";
import { commandRows } from "../support/command-rows.ts";
import type { Scene } from "../support/command-scene.ts";
import { must } from "../support/files.ts";
import { HttpClient } from "../support/http-client.ts";

test("a user with a write token cannot push commands that create superusers or end accounts (security 1)", async () => {
  const api = await startApi();
  const mallory = await api.as("mallory");
  const attacks: [string, object][] = [
    ["user.create", { username: "root2", email: "root2@example.org", roles: ["superuser-access"] }],
    ["user.deactivate", { id: await api.idOf("admin") }],
    ["group.provide", { name: "mine", is_managed: false }],
  ];
  for (const [kind, payload] of attacks) {
    const operations = [{ id: randomUUID(), kind, version: 1, payload }];
    const { outcomes } = must(await mallory.post("/api/sync/push", { operations }), 200).body;
    expect(outcomes).toMatchObject([{ outcome: "rejected", refusal: { status: 403, message: "Permission denied." } }]);
  }
  const { db } = api.server.host;
  expect(await api.server.services.users.findAccount(db, { by: "username", name: "root2" })).toBeUndefined();
  expect((await (await api.as("admin")).get("/api/me")).status).toBe(200);
  expect(await api.server.services.groups.find(db, "mine")).toBeUndefined();
});

/** Every kind of caller; those with an account hold on each object what their names say. */
const callers = [
  "anonymous",
  "other",
  "read-only token",
  "revoked token",
  "deactivated",
  "reviewer",
  "link edit",
  "grant view",
  "grant preview",
  "grant edit",
  "grant manage",
  "group manage",
  "administration",
  "moderator",
  "admin",
  "owner",
] as const;

interface World extends Scene {
  /** How each caller pushes. */
  clients: Map<string, { client: HttpClient; path: string }>;
}

async function tokenOf(api: Api, name: string, scopes: string[]): Promise<{ id: string; client: HttpClient }> {
  const body = { name: "pushes", scopes };
  const { id, token } = must(await (await api.as(name)).post("/api/tokens", body), 201).body;
  return { id, client: new HttpClient(api.server.url, token) };
}

async function givenWorld(): Promise<World> {
  const api = await startApi();
  const { db } = api.server.host;
  await api.server.services.groups.provide({ name: "level-manage", description: null, is_managed: true });
  const joins = (who: string, group: string) =>
    api.idOf(who).then((user_id) => db.insertInto("membership").values({ user_id, group_name: group }).execute());
  await joins("group-manage", "level-manage");
  await joins("administration", "administration");
  const owner = await api.as("owner");
  const links = new Map<string, string>();
  const named: [string, HttpClient][] = [];
  for (const name of callers) named.push([name, await api.as(name.replace(/[ ]/g, "-"))]);
  const clients = new Map(named.map(([name, client]) => [name, { client, path: "/api/sync/push" }]));
  const replace = (name: string, client: HttpClient) => clients.set(name, { client, path: "/api/sync/push" });
  replace("anonymous", api.anonymous);
  replace("read-only token", (await tokenOf(api, "owner", ["read"])).client);
  const revoked = await tokenOf(api, "owner", ["read", "write", "tokens"]);
  must(await owner.delete(`/api/tokens/${revoked.id}`), 204);
  replace("revoked token", revoked.client);
  await api.server.services.users.deactivate(await api.idOf("deactivated"));

  async function share(recordId: string): Promise<void> {
    const grants: object[] = [];
    for (const permission of ["view", "preview", "edit", "manage"]) {
      grants.push({ permission, subject: { type: "user", id: await api.idOf(`grant-${permission}`) } });
    }
    grants.push({ permission: "manage", subject: { type: "role", id: "level-manage" } });
    grants.push({ permission: "manage", subject: { type: "user", id: await api.idOf("deactivated") } });
    must(await owner.post(`/api/records/${recordId}/access/grants`, { grants }), 201);
    const link = must(await owner.post(`/api/records/${recordId}/access/links`, { permission: "edit" }), 201);
    links.set("edit", link.body.token);
    const holder = clients.get("link edit");
    if (holder) holder.path = `/api/sync/push?token=${link.body.token}`;
  }
  return { api, owner, share, clients };
}

/** What a push itself writes down: its outcome, and who was refused. */
const isBookkeeping = (table: string): boolean => /^(operation_result|audit_log|vocabulary.*|sqlite_.*)$/.test(table);

/** All that is stored, as text by table. */
async function stored({ api }: World): Promise<Record<string, string>> {
  const { db } = api.server.host;
  const tables = await sql<{ name: string }>`select name from sqlite_schema where type = 'table'`.execute(db);
  const texts: Record<string, string> = {};
  for (const { name } of tables.rows.filter((table) => !isBookkeeping(table.name))) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db);
    texts[name] = JSON.stringify(rows.map(({ last_used_at: _used, ...row }) => row));
  }
  return texts;
}

async function push(world: World, caller: string, kind: string, payload: object) {
  const { client, path } = world.clients.get(caller) ?? { client: world.api.anonymous, path: "/api/sync/push" };
  const operations = [{ id: randomUUID(), kind, version: 1, payload }];
  const { status, body } = await client.post(path, { operations });
  return { status, message: body?.message, outcome: body?.outcomes?.[0] };
}

/** Refused in words, by the call's status or by the operation's outcome. */
function isRefusal({ status, message, outcome }: Awaited<ReturnType<typeof push>>): boolean {
  if (status === 401 || status === 403) return typeof message === "string" && message !== "";
  return (
    status === 200 && outcome.outcome === "rejected" && outcome.refusal.status < 500 && outcome.refusal.message !== ""
  );
}

const record = /(?<=")[0-9a-z]{5}-[0-9a-z]{5}(?=")/g;
const uuid = /(?<=")[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=")/g;

/** The same payload about objects that nobody has. */
function ofNobody(payload: object): object {
  const random = () => crypto.getRandomValues(new Uint8Array(5));
  const text = JSON.stringify(payload).replace(record, () => recordIdFrom(random()));
  return JSON.parse(text.replace(uuid, () => randomUUID()));
}

describe("who may push what (security 1)", () => {
  let world: World;
  beforeAll(async () => {
    world = await givenWorld();
    return () => world.api.close();
  });

  test("every command has a row", () => {
    expect(Object.keys(commandRows).sort()).toEqual([...definedCommands.keys()].sort());
  });

  /** Pushes as somebody who may not. @returns what is wrong with the outcome or the database. */
  async function wrongOf(kind: string, caller: string, payload: object, isSilent: boolean, before: unknown) {
    const answer = await push(world, caller, kind, payload);
    const isQuiet = isSilent && answer.outcome?.outcome === "applied";
    const wrong = isRefusal(answer) || isQuiet ? [] : [`${caller}: ${JSON.stringify(answer)}`];
    const after = await stored(world);
    const changed = Object.entries(before as Record<string, string>).filter(([name, text]) => after[name] !== text);
    return [...wrong, ...changed.map(([name]) => `${caller}: ${name} changed`)];
  }

  test.each(Object.entries(commandRows))("%s", async (kind, row) => {
    const payload = await row.payload(world);
    const before = await stored(world);
    const wrong: string[] = [];
    for (const caller of callers) {
      if (row.allowed.includes(caller)) continue;
      wrong.push(...(await wrongOf(kind, caller, payload, row.isSilent ?? false, before)));
    }
    for (const caller of row.isOwn ? [] : callers) {
      const words = await wrongOf(kind, caller, ofNobody(payload), row.isSilent ?? false, before);
      wrong.push(...words.map((text) => `of nobody, ${text}`));
    }
    expect(wrong).toEqual([]);
    const [first] = row.allowed;
    if (first === undefined) return;
    // Refused for who asked, not for what was sent.
    expect(await push(world, first, kind, payload)).toMatchObject({ outcome: { outcome: "applied" } });
    expect(await stored(world)).not.toEqual(before);
  });
});

/** As an engine with several writers reports it. */
const conflict = () => Object.assign(new Error("could not serialize access"), { code: "40001" });

/** Makes the first commit of every write of this process fail. @returns how many failed, and how to end it. */
function failFirstCommits() {
  let failed = 0;
  let isWriting = false;
  let mayCommit = false;
  const { exec } = SQLite.prototype;
  const spy = vi.spyOn(SQLite.prototype, "exec").mockImplementation(function (this: SQLite.Database, text: string) {
    if (text.startsWith("begin")) isWriting = text === "begin immediate";
    if (text !== "commit" || !isWriting) return exec.call(this, text);
    mayCommit = !mayCommit;
    if (!mayCommit) return exec.call(this, text);
    failed += 1;
    exec.call(this, "rollback");
    throw conflict();
  });
  return { count: () => failed, end: () => spy.mockRestore() };
}

/** Rows of each table. Those of words in the index depend on random text. */
async function sizes(world: World): Promise<Record<string, number>> {
  const { db } = world.api.server.host;
  const tables = await sql<{ name: string }>`select name from sqlite_schema where type = 'table'`.execute(db);
  const counts: Record<string, number> = {};
  for (const { name } of tables.rows.filter((table) => !/^(search_(t|number|path)|sqlite_)/.test(table.name))) {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(name)}`.execute(db);
    counts[name] = rows[0]?.n ?? 0;
  }
  return counts;
}

describe("a write that runs twice has the effect of one (issue 19, scale 3)", () => {
  let world: World;
  beforeAll(async () => {
    world = await givenWorld();
    return () => world.api.close();
  });

  /** What a pushed command adds to each table, and how it ended. */
  async function effectOf(kind: string, caller: string, payload: object) {
    const before = await sizes(world);
    const { outcome } = await push(world, caller, kind, payload);
    const after = await sizes(world);
    const added = Object.entries(after).map(([table, rows]) => [table, rows - (before[table] ?? 0)] as const);
    return { outcome: outcome.outcome, added: added.filter(([, rows]) => rows !== 0) };
  }

  test.each(Object.entries(commandRows).filter(([, row]) => row.allowed.length > 0))("%s", async (kind, row) => {
    const [caller = ""] = row.allowed;
    const once = await effectOf(kind, caller, await row.payload(world));
    const payload = await row.payload(world);
    const failures = failFirstCommits();
    const twice = await effectOf(kind, caller, payload).finally(failures.end);
    expect(failures.count()).toBeGreaterThan(0);
    expect(twice).toEqual(once);
  });
});
