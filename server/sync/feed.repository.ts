import type { Db } from "../../shared/database/open.ts";
import type { FeedRow } from "../../shared/database/schema.ts";
import type { ObjectRef } from "../../shared/kernel/host.ts";

const headName = "feed_head";

/** Takes the next position; last in a transaction, so that positions commit in their order. */
export async function takeSeq(db: Db): Promise<number> {
  const seq = (await readHead(db)) + 1;
  await moveHead(db, seq);
  return seq;
}

export async function moveHead(db: Db, seq: number): Promise<void> {
  await db
    .insertInto("setting")
    .values({ name: headName, value: String(seq) })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: String(seq) }))
    .execute();
}

export async function readHead(db: Db): Promise<number> {
  const row = await db.selectFrom("setting").select("value").where("name", "=", headName).executeTakeFirst();
  return Number(row?.value ?? 0);
}

/** Who had the object when it was last written. */
export const listFollowers = (db: Db, ref: ObjectRef): Promise<FeedRow[]> =>
  db.selectFrom("feed").selectAll().where("kind", "=", ref.kind).where("object_id", "=", ref.id).execute();

export async function upsertFeed(db: Db, rows: FeedRow[]): Promise<void> {
  for (const row of rows) {
    await db
      .insertInto("feed")
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(["user_id", "kind", "object_id"]).doUpdateSet({ seq: row.seq, state: row.state }),
      )
      .execute();
  }
}

const feedOf = (db: Db, userId: string) =>
  db.selectFrom("feed").selectAll().where("user_id", "=", userId).orderBy("seq").orderBy("kind").orderBy("object_id");

/**
 * What a person's replicas have not seen yet, oldest first. Objects that one transaction changed share a position and come
 * together, even beyond the limit: a cursor between them would hide the rest for ever.
 */
export async function listFeed(db: Db, userId: string, after: number, limit: number): Promise<FeedRow[]> {
  const rows = await feedOf(db, userId).where("seq", ">", after).limit(limit).execute();
  const last = rows.at(-1)?.seq;
  if (rows.length < limit || last === undefined) return rows;
  const together = await feedOf(db, userId).where("seq", "=", last).execute();
  return [...rows.filter(({ seq }) => seq < last), ...together];
}
