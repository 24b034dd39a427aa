import { callerFor } from "../../../server/sync/feed.service.ts";
import { listRows } from "../../../shared/bundles/bundle.repository.ts";
import { exportBundle } from "../../../shared/bundles/bundle.service.ts";
import { bundleTables } from "../../../shared/bundles/bundle-tables.ts";
import type { Db } from "../../../shared/database/open.ts";
import type { Ledger } from "./ledger.ts";
import type { SimReplica } from "./sim-replica.ts";
import type { World } from "./world.ts";

/** An invariant that does not hold. */
export class Violation extends Error {}

const canonical = (value: unknown): string => JSON.stringify(value);

const tables = { family: "parent", request: "request" } as const;

async function idsOf(db: Db, kind: keyof typeof tables): Promise<string[]> {
  const rows = await db.selectFrom(tables[kind]).select("id").orderBy("id").execute();
  return rows.map((row) => row.id);
}

/** I1: after healing, what a replica shows of every object is what the server would show. */
export async function converged(world: World, replica: SimReplica): Promise<void> {
  const { db, services } = world.server;
  const caller = await callerFor(db, world.userId);
  for (const kind of ["family", "request"] as const) {
    const [server, here] = [await idsOf(db, kind), await idsOf(replica.db, kind)];
    if (canonical(server) !== canonical(here)) {
      throw new Violation(`I1 ${replica.name} holds other objects (${kind}: ${here}) than the server (${server})`);
    }
    for (const id of here) {
      const bundle = await exportBundle(db, services.access, caller, { kind, id });
      for (const part of bundleTables[kind]) {
        const mine = canonical(await listRows(replica.db, part, id));
        const theirs = canonical(bundle.rows[part.table] ?? []);
        if (mine !== theirs) throw new Violation(`I1 ${replica.name} ${part.table} of ${id}:\n  ${mine}\n  ${theirs}`);
      }
    }
  }
}

async function textOnServer(world: World, family: string): Promise<string> {
  const { db } = world.server;
  const tables = ["draft", "record", "conflict"] as const;
  const parts: unknown[] = [];
  for (const table of tables) parts.push(await listRows(db, { table, key: "parent_id" }, family));
  return canonical(parts);
}

async function trayText(world: World): Promise<string> {
  const rows = await Promise.all(
    world.replicas.map(({ db }) => db.selectFrom("operation").selectAll().where("state", "=", "rejected").execute()),
  );
  return canonical(rows);
}

/** Where a draft is that was begun on two sides: the later one lives on in the first. */
async function presentId(world: World, id: string): Promise<string> {
  const row = await world.server.db.selectFrom("alias").select("new_id").where("old_id", "=", id).executeTakeFirst();
  return row?.new_id ?? id;
}

/** I2: everything a person was told is done is there, or was dropped by a later wish of hers, or lies before her. */
export async function nothingLost(world: World, ledger: Ledger): Promise<void> {
  const tray = await trayText(world);
  for (const { family, draft, marker } of ledger.intents) {
    if (ledger.discarded.has(draft) || ledger.discarded.has(await presentId(world, draft))) continue;
    if (tray.includes(marker) || (await textOnServer(world, family)).includes(marker)) continue;
    throw new Violation(`I2 ${marker} on ${draft} is nowhere`);
  }
}

/** I2 and I3 for conversations: each comment stands once, unless its request is gone or it lies in the tray. */
export async function commentsOnce(world: World, ledger: Ledger): Promise<void> {
  const { db } = world.server;
  const tray = await trayText(world);
  for (const { request, marker } of ledger.comments) {
    const rows = await db.selectFrom("event").select("id").where("content", "=", marker).execute();
    if (rows.length > 1) throw new Violation(`I3 comment ${marker} stands ${rows.length} times`);
    if (rows.length === 1 || tray.includes(marker)) continue;
    const there = await db.selectFrom("request").select("id").where("id", "=", request).executeTakeFirst();
    if (there) throw new Violation(`I2 comment ${marker} on ${request} is nowhere`);
  }
}

/** I3: nothing takes effect twice: no marker stands twice in one list, no version number is given twice. */
export async function nothingDoubled(world: World, ledger: Ledger): Promise<void> {
  const { db } = world.server;
  const contents = [
    ...(await db.selectFrom("draft").select(["id", "metadata"]).execute()),
    ...(await db.selectFrom("record").select(["id", "metadata"]).execute()),
  ];
  for (const { id, metadata } of contents) {
    for (const { marker } of ledger.intents) {
      const count = metadata.split(`"family_name":"${marker}"`).length - 1;
      if (count > 1) throw new Violation(`I3 creator ${marker} stands ${count} times in ${id}`);
    }
  }
  const versions = await db.selectFrom("record").select(["parent_id", "version_index"]).execute();
  const seen = new Set(versions.map((row) => `${row.parent_id} ${row.version_index}`));
  if (seen.size !== versions.length) throw new Violation("I3 two published versions have one number");
}
