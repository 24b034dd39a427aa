import { sql } from "kysely";
import type { Db } from "../../shared/database/open.ts";
import { prepared, preparedFirst } from "../../shared/database/prepared.ts";
import type { FeedRow } from "../../shared/database/schema.ts";
import { findSetting, storeSetting } from "../../shared/database/setting.repository.ts";
import type { ObjectRef } from "../../shared/kernel/object-ref.ts";

const headName = "feed_head";

const nextHead = preparedFirst((db) =>
  db
    .insertInto("setting")
    .values({ name: headName, value: "1" })
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet({ value: sql<string>`cast(cast(setting.value as integer) + 1 as text)` }),
    )
    .returning("value"),
);

/** Takes the next position. Called last in a transaction, so that positions commit in order. */
export const takeSeq = async (db: Db): Promise<number> => Number((await nextHead(db))?.value);

export const moveHead = (db: Db, seq: number) => storeSetting(db, headName, String(seq));

export const readHead = async (db: Db): Promise<number> => Number((await findSetting(db, headName)) ?? 0);

/** The position of a user's last entry; undefined without any. */
export const findLastEntry = preparedFirst((db, userId: string) =>
  db
    .selectFrom("feed")
    .select((expression) => expression.fn.max("seq").as("seq"))
    .where("user_id", "=", userId),
);

/** The users who held the object at its last change. */
export const listFollowers = prepared((db, ref: ObjectRef) =>
  db.selectFrom("feed").selectAll().where("kind", "=", ref.kind).where("object_id", "=", ref.id),
);

const upsertRow = prepared((db, row: FeedRow) =>
  db
    .insertInto("feed")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["user_id", "kind", "object_id"]).doUpdateSet({ seq: row.seq, state: row.state }),
    ),
);

export async function upsertFeed(db: Db, rows: FeedRow[]): Promise<void> {
  for (const row of rows) await upsertRow(db, row);
}

const feedOf = (db: Db, userId: string) =>
  db.selectFrom("feed").selectAll().where("user_id", "=", userId).orderBy("seq").orderBy("kind").orderBy("object_id");

/**
 * A user's entries after a position, oldest first. Entries of one transaction share a position and come together, even
 * beyond the limit, because a cursor cannot point between them.
 */
export async function listFeed(db: Db, userId: string, after: number, limit: number): Promise<FeedRow[]> {
  const rows = await feedOf(db, userId).where("seq", ">", after).limit(limit).execute();
  const last = rows.at(-1)?.seq;
  if (rows.length < limit || last === undefined) return rows;
  // With a range SQLite uses the index on the position. With `=` it would scan all entries of the user.
  const together = await feedOf(db, userId).where("seq", ">=", last).where("seq", "<=", last).execute();
  return [...rows.filter(({ seq }) => seq < last), ...together];
}
