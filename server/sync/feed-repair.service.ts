import type { Db, Tx } from "../../shared/database/open.ts";
import { addToFeed, type FeedEntry, moveHead, readHead } from "./feed.repository.ts";

export const readFeedHead = (db: Db): Promise<number> => readHead(db);

/** Sets the position after which a copied database continues its feed. */
export const moveFeedHead = (tx: Tx, seq: number): Promise<void> => (seq > 0 ? moveHead(tx, seq) : Promise.resolve());

/** Writes a feed entry at a new position beyond `highest`. */
export async function writeEntry(tx: Tx, entry: FeedEntry | undefined, highest = 0): Promise<void> {
  if ((await readHead(tx)) < highest) await moveHead(tx, highest);
  await addToFeed(tx, entry ? [entry] : []);
}
