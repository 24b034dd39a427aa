import { type Db, transaction } from "../../shared/database/open.ts";
import { readFeedHead, writeEntry } from "../sync/feed-repair.service.ts";
import { isReplica } from "./blob-reference.repository.ts";
import {
  type FeedEntry,
  listBrokenBases,
  listDanglingEntries,
  listFamiliesWithoutEntry,
  readHighestSeq,
} from "./feed-check.repository.ts";
import type { Finding } from "./finding.ts";

async function* entriesOf(db: Db, entries: FeedEntry[], state: "live" | "deleted", repair: boolean) {
  for (const entry of entries) {
    const { kind, object_id, user_id } = entry;
    const what =
      state === "live"
        ? `The feed of ${user_id} has no entry for their ${kind} ${object_id}.`
        : `The feed of ${user_id} has an entry for a ${kind} ${object_id} that does not exist.`;
    if (repair) await transaction(db, (tx) => writeEntry(tx, { ...entry, state }));
    yield repair ? { what, repaired: `${what} It was repaired.` } : { what };
  }
}

/** Checks the order and completeness of the feed (hosts-and-sync 6); on a replica, its bases. */
export async function* checkFeed(db: Db, repair: boolean): AsyncGenerator<Finding> {
  if (await isReplica(db)) {
    for (const { kind, object_id } of await listBrokenBases(db)) {
      yield { what: `The stored server state of ${kind} ${object_id} cannot be read.` };
    }
    return;
  }
  const [head, highest] = [await readFeedHead(db), await readHighestSeq(db)];
  if (highest > head) {
    const what = `The feed's last position is ${head}, but rows have positions up to ${highest}.`;
    if (repair) await transaction(db, (tx) => writeEntry(tx, undefined, highest));
    yield repair ? { what, repaired: `${what} The last position was corrected.` } : { what };
  }
  yield* entriesOf(db, await listDanglingEntries(db), "deleted", repair);
  yield* entriesOf(db, await listFamiliesWithoutEntry(db), "live", repair);
}
