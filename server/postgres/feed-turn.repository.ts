import { sql } from "kysely";
import type { Db, Tx } from "../../shared/database/open.ts";
import type { FeedRow, OperationResultRow } from "../../shared/database/schema.ts";

type Entry = Omit<FeedRow, "seq">;
type AppliedResult = Pick<OperationResultRow, "id" | "user_id" | "digest" | "result" | "created">;

/** Hands feed entries to the commit, which gives them their position. Call it last in a transaction. */
export async function tellFeed(tx: Tx, entries: readonly Entry[], applied?: AppliedResult): Promise<void> {
  const rows = entries.map(({ user_id, kind, object_id, state }) => [user_id, kind, object_id, state]);
  const { id, user_id, digest, result, created } = applied ?? {};
  const stored = applied === undefined ? null : JSON.stringify([id, user_id, digest, result, created]);
  await sql`insert into feed_turn (rows, result) values (${JSON.stringify(rows)}, ${stored})`.execute(tx);
}

/** The position of the newest entry that this reader sees. The sequence runs ahead of what is committed. */
export async function readFeedHead(db: Db): Promise<number> {
  const head = await db
    .selectFrom("feed")
    .select((all) => all.fn.max("seq").as("seq"))
    .executeTakeFirst();
  return head?.seq ?? 0;
}
