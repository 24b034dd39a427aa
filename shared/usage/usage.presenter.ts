import type { UsageCounts, UsageRow } from "../database/schema.ts";

const nothing: UsageCounts = { views: 0, unique_views: 0, downloads: 0, unique_downloads: 0, data_volume: 0 };

/** The counts of one id among rows; zeros when it has no row. */
export function countsOf(rows: readonly UsageRow[], id: string): UsageCounts {
  const row = rows.find((one) => one.id === id);
  if (!row) return nothing;
  const { views, unique_views, downloads, unique_downloads, data_volume } = row;
  return { views, unique_views, downloads, unique_downloads, data_volume };
}

/** `stats` of a record's body (search 6.1). */
export const presentUsage = (rows: readonly UsageRow[], record: { id: string; parent_id: string }) => ({
  this_version: countsOf(rows, record.id),
  all_versions: countsOf(rows, record.parent_id),
});
