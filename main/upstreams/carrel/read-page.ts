import type { Db } from "../../../shared/database/open.ts";
import { textOf, withDelta } from "../../../shared/sync-protocol/bundle-delta.ts";
import { type Change, type FeedPage, feedPage } from "../../../shared/sync-protocol/feed.schema.ts";
import { findBase } from "../../sync/base.repository.ts";
import { assertBundle } from "../../sync/bundle-check.ts";
import { bodyOf, type ServerAnswer } from "../../sync/transport.ts";
import { assertAdvances, validateAnswer } from "../../sync/validate-answer.ts";

async function resolveDelta(db: Db, change: Change): Promise<Change | undefined> {
  if (!change.delta) return change;
  const base = await findBase(db, change);
  const bundle = base ? withDelta(textOf(base), change.delta) : undefined;
  return bundle && { ...change, bundle };
}

/** Applies deltas to the bases here. @returns undefined if a delta's base is not here. */
async function resolveDeltas(db: Db, page: FeedPage): Promise<FeedPage | undefined> {
  const changes: Change[] = [];
  for (const change of page.changes) {
    const whole = await resolveDelta(db, change);
    if (!whole) return undefined;
    changes.push(whole);
  }
  return { ...page, changes };
}

/**
 * Reads and checks a page.
 * @param whole fetches the page without deltas
 * @throws InvalidAnswer for a page that does not advance, or with rows of other objects.
 */
export async function readPage(
  db: Db,
  answer: ServerAnswer,
  cursor: string | undefined,
  whole: () => Promise<FeedPage>,
): Promise<FeedPage> {
  const page = (await resolveDeltas(db, validateAnswer(feedPage, bodyOf(answer)))) ?? (await whole());
  assertAdvances(page, cursor);
  for (const change of page.changes) {
    if (change.state === "live" && change.bundle) assertBundle(change.bundle, change);
  }
  return page;
}
