import { type Db, transaction } from "../../shared/database/open.ts";
import { readHead, takePosition } from "./feed.repository.ts";
import { type FeedStart, readFeedStarts, writeFeedStarts } from "./feed-starts.repository.ts";

/** Earlier starts are forgotten. A cursor from before them is believed. */
const keptStarts = 200;

/**
 * Notes that a process of the server starts to write the feed here. If the files of an earlier day were put back by hand
 * before, cursors from the lost time carry the mark of a start that wrote less (hosts-and-sync 4).
 * @param mark random, without a dot.
 */
export const recordFeedStart = (db: Db, mark: string): Promise<void> =>
  transaction(db, async (tx) => {
    const taken = await takePosition(tx);
    // After a crash of PostgreSQL its sequence leaves numbers out, which the lost part may have used.
    const seq = Math.min(taken, (await readHead(tx)) + 1);
    await writeFeedStarts(tx, [...(await readFeedStarts(tx)), { seq, mark }].slice(-keptStarts));
  });

/** The mark of the start that wrote this position; empty for one from before all known starts. */
export const markAt = (starts: readonly FeedStart[], seq: number): string =>
  starts.findLast((start) => start.seq <= seq)?.mark ?? "";

/** Whether the start with this mark wrote the feed up to the position. A cursor from before all starts has no mark. */
export function hasWritten(starts: readonly FeedStart[], { seq, mark }: FeedStart): boolean {
  const isForgotten = seq < (starts[0]?.seq ?? Number.POSITIVE_INFINITY);
  return mark === "" || isForgotten || markAt(starts, seq) === mark;
}
