import { type Db, transaction } from "../../shared/database/open.ts";
import { readFeedHead, tell } from "../sync/feed-repair.service.ts";
import { isReplica } from "./blob-reference.repository.ts";
import {
  type FeedEntry,
  listBrokenBases,
  listFamiliesUntold,
  listFeedOfNothing,
  readHighestSeq,
} from "./feed-check.repository.ts";
import type { Finding } from "./finding.ts";

async function* entriesOf(db: Db, entries: FeedEntry[], state: "live" | "deleted", repair: boolean) {
  for (const entry of entries) {
    const { kind, object_id, user_id } = entry;
    const what =
      state === "live"
        ? `The feed of ${user_id} does not tell of her ${kind} ${object_id}.`
        : `The feed of ${user_id} tells of a ${kind} ${object_id} that does not exist.`;
    if (repair) await transaction(db, (tx) => tell(tx, { ...entry, state }));
    yield repair ? { what, repaired: `${what} It was put right.` } : { what };
  }
}

/** Whether the feed is in order and tells of what is there (hosts-and-sync 6); on a replica, what came from it. */
export async function* checkFeed(db: Db, repair: boolean): AsyncGenerator<Finding> {
  if (await isReplica(db)) {
    for (const { kind, object_id } of await listBrokenBases(db)) {
      yield { what: `What the server last said of ${kind} ${object_id} cannot be read.` };
    }
    return;
  }
  const [head, highest] = [await readFeedHead(db), await readHighestSeq(db)];
  if (highest > head) {
    const what = `The feed stands at ${head}, but has positions up to ${highest}.`;
    if (repair) await transaction(db, (tx) => tell(tx, undefined, highest));
    yield repair ? { what, repaired: `${what} It was moved on.` } : { what };
  }
  yield* entriesOf(db, await listFeedOfNothing(db), "deleted", repair);
  yield* entriesOf(db, await listFamiliesUntold(db), "live", repair);
}
