import { sql } from "kysely";
import { isPostgres } from "../../shared/database/dialect.ts";
import type { Db, Tx } from "../../shared/database/open.ts";
import { prepared, preparedFirst } from "../../shared/database/prepared.ts";
import type { FeedRow, OperationResultRow } from "../../shared/database/schema.ts";
import { findSetting, storeSetting } from "../../shared/database/setting.repository.ts";
import type { ObjectRef } from "../../shared/kernel/object-ref.ts";
import { feedLock } from "./feed-lock.ts";
import { insertResult } from "./operation-result.repository.ts";

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

/** Moves the head forward, beyond positions that rows have already. */
export async function moveHead(db: Db, seq: number): Promise<void> {
  if (isPostgres(db)) await sql`select setval('feed_position', ${seq})`.execute(db);
  else await storeSetting(db, headName, String(seq));
}

/** The newest position that a reader in PostgreSQL sees. The sequence runs ahead of what is committed. */
const findNewest = preparedFirst(
  (_db) => sql<{ seq: number | null }>`select max(seq) as seq from (select max(seq) as seq from feed
    union all select max(seq) from operation_result) as ends`,
);

export const readHead = async (db: Db): Promise<number> =>
  isPostgres(db) ? ((await findNewest(db))?.seq ?? 0) : Number((await findSetting(db, headName)) ?? 0);

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

const upsertRows = prepared(
  (_db, rows: string, seq: number) => sql`insert into feed (user_id, kind, object_id, seq, state)
    select value ->> 0, value ->> 1, value ->> 2, ${seq}, value ->> 3 from json_each(${rows}) where true
    on conflict (user_id, kind, object_id) do update set seq = excluded.seq, state = excluded.state`,
);

/**
 * Takes the next position for something else than entries. In PostgreSQL it takes the lock of `take_turn`, which the
 * commit releases, so positions become visible in their order.
 */
export async function takePosition(tx: Tx): Promise<number> {
  if (!isPostgres(tx)) return Number((await nextHead(tx))?.value);
  await sql`select pg_advisory_xact_lock(${feedLock}::bigint)`.execute(tx);
  const { rows } = await sql<{ seq: number }>`select nextval('feed_position') as seq`.execute(tx);
  return Number(rows[0]?.seq);
}

export type FeedEntry = Omit<FeedRow, "seq">;
/** The result of an operation, stored at the position of its change. */
export type AppliedResult = Pick<OperationResultRow, "id" | "user_id" | "digest" | "result" | "created">;

/**
 * Adds entries at the next position, with the result of the operation that made the change. In PostgreSQL the commit
 * gives the position (`take_turn`), so it is not known before. Call it last in a transaction.
 */
export async function addToFeed(tx: Db, entries: readonly FeedEntry[], applied?: AppliedResult): Promise<void> {
  const rows = JSON.stringify(entries.map(({ user_id, kind, object_id, state }) => [user_id, kind, object_id, state]));
  if (isPostgres(tx)) return addAtCommit(tx, rows, applied);
  const seq = Number((await nextHead(tx))?.value);
  if (entries.length > 0) await upsertRows(tx, rows, seq);
  if (applied) await insertResult(tx, { ...applied, outcome: "applied", seq });
}

const insertFeedRows = prepared(
  (_db, rows: string, result: string | null) => sql`insert into feed_turn (rows, result) values (${rows}, ${result})`,
);

async function addAtCommit(tx: Db, rows: string, applied?: AppliedResult): Promise<void> {
  const result = applied && [applied.id, applied.user_id, applied.digest, applied.result, applied.created];
  await insertFeedRows(tx, rows, result ? JSON.stringify(result) : null);
}

/** Deletes rows that are in the feed already. Not in a transaction, so that no write conflicts with it. */
export const deletePublishedRows = (db: Db) => sql`delete from feed_turn`.execute(db);

type FeedPlace = Pick<FeedRow, "seq" | "user_id" | "kind" | "object_id">;

/** Entries of all users after a place, oldest first. */
export const listEntriesAfter = prepared((db, { seq, user_id, kind, object_id }: FeedPlace, limit: number) =>
  db
    .selectFrom("feed")
    .select(["seq", "user_id", "kind", "object_id"])
    .where("seq", ">=", seq)
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple("seq", "user_id", "kind", "object_id"), ">", tuple(seq, user_id, kind, object_id)),
    )
    .orderBy("seq")
    .orderBy("user_id")
    .orderBy("kind")
    .orderBy("object_id")
    .limit(limit),
);

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
