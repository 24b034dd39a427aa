import type { Bundle, BundleRow } from "../../shared/bundles/bundle.schema.ts";
import type { FeedPage } from "../../shared/sync-protocol/feed.schema.ts";

/** Columns that replicas of older versions do not have. */
const newColumns: Record<string, readonly string[]> = { request: ["reviewers"], event: ["about"] };

/** What an older replica shows instead of a notification that it does not know. */
const olderKinds: Record<string, string> = {
  changes_requested: "commented",
  review_requested: "submitted",
  mentioned: "commented",
};

function withoutNew(table: string, row: BundleRow): BundleRow {
  if (table === "notification") {
    const kind = String(row.kind);
    return { ...row, kind: olderKinds[kind] ?? kind };
  }
  const added = newColumns[table];
  return added ? Object.fromEntries(Object.entries(row).filter(([name]) => !added.includes(name))) : row;
}

/** A page of the feed without the columns of `reviewersProtocolVersion`. */
export const pageForOlderPeer = (page: FeedPage): FeedPage => ({
  ...page,
  changes: page.changes.map((change) => (change.bundle ? { ...change, bundle: forOlderPeer(change.bundle) } : change)),
});

/** A bundle without the columns of `reviewersProtocolVersion`. */
export function forOlderPeer(bundle: Bundle): Bundle {
  const rows = Object.entries(bundle.rows).map(([table, all]) => [table, all.map((row) => withoutNew(table, row))]);
  return { ...bundle, rows: Object.fromEntries(rows) };
}
