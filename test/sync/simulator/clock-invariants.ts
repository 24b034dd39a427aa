import { sql } from "kysely";
import { Violation } from "./violation.ts";
import type { World } from "./world.ts";

const nobody = { isCreator: false, isReceiver: false, isPreviewer: false, isSuperuser: false };
const wholeList = { sort: "oldest", page: 1, size: 10_000, offset: 0, limit: 10_000 };
const noFilters = { booleans: new Map(), filters: new Map(), parameters: [] };
const everything = { q: undefined, suggest: undefined, ...wholeList, ...noFilters };

const withEnd = ({ server }: World) =>
  server.db.selectFrom("request").selectAll().where("expires_at", "is not", null).execute();

/** I13: only due requests have expired, by the clock at that time. Called before the clock is set to another time. */
export async function expiredInTime(world: World): Promise<void> {
  const now = world.server.host.now();
  for (const { id, status, expires_at } of await withEnd(world)) {
    if (status !== "expired") continue;
    const isDue = expires_at !== null && expires_at <= now;
    if (!isDue && !world.ledger.expired.has(id)) throw new Violation(`I13 the request ${id} expired before its time`);
    world.ledger.expired.add(id);
  }
}

/** I13: exactly the due requests have expired, by the server's present clock. */
export async function expiredRightly(world: World): Promise<void> {
  const { server } = world;
  await expiredInTime(world);
  const now = server.host.now();
  for (const { id, status, expires_at } of await withEnd(world)) {
    const isDue = expires_at !== null && expires_at <= now;
    if (status === "submitted" && isDue) throw new Violation(`I13 the request ${id} was due and has not expired`);
  }
}

/** I13: conversations show events in the order in which the server executed them, whatever its clock was. */
export async function orderKept({ server }: World): Promise<void> {
  const { db, services } = server;
  const { rows } = await sql<{ request_id: string; ids: string }>`select request_id, json_group_array(id) as ids
    from (select request_id, id from event where parent_id is null order by rowid) group by request_id`.execute(db);
  for (const { request_id, ids } of rows) {
    const request = await db.selectFrom("request").selectAll().where("id", "=", request_id).executeTakeFirstOrThrow();
    const { hits } = await services.timelines.search({ request, part: nobody }, null, everything);
    const shown = JSON.stringify(hits.map(({ id }) => id));
    if (shown !== ids) throw new Violation(`I13 the conversation ${request_id} shows ${shown} of ${ids}`);
  }
}
