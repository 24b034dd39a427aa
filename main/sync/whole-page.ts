import type { Db } from "../../shared/database/open.ts";
import { textOf, withDelta } from "../../shared/sync-protocol/bundle-delta.ts";
import type { Change, FeedPage } from "../../shared/sync-protocol/feed.schema.ts";
import { findBase } from "./base.repository.ts";

async function wholeChange(db: Db, change: Change): Promise<Change | undefined> {
  if (!change.delta) return change;
  const base = await findBase(db, change);
  const bundle = base ? withDelta(textOf(base), change.delta) : undefined;
  return bundle && { ...change, bundle };
}

/** Puts whole objects in place of differences to what is here; undefined when what is here is something else. */
export async function wholePage(db: Db, page: FeedPage): Promise<FeedPage | undefined> {
  const changes: Change[] = [];
  for (const change of page.changes) {
    const whole = await wholeChange(db, change);
    if (!whole) return undefined;
    changes.push(whole);
  }
  return { ...page, changes };
}
