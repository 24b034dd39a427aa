import type { Db, Tx } from "../../shared/database/open.ts";
import type { FeedRow } from "../../shared/database/schema.ts";
import { moveHead, readHead, takeSeq, upsertFeed } from "./feed.repository.ts";

export const readFeedHead = (db: Db): Promise<number> => readHead(db);

/** Writes a feed entry at a new position beyond `highest`. */
export async function writeEntry(tx: Tx, entry: Omit<FeedRow, "seq"> | undefined, highest = 0): Promise<void> {
  if ((await readHead(tx)) < highest) await moveHead(tx, highest);
  const seq = await takeSeq(tx);
  if (entry) await upsertFeed(tx, [{ ...entry, seq }]);
}
