import type { Db } from "../database/open.ts";
import { prepared } from "../database/prepared.ts";
import type { UsageCounts, UsageRow } from "../database/schema.ts";

/** Counts of a record and of its family. */
export const listUsageOf = prepared((db, recordId: string, parentId: string) =>
  db
    .selectFrom("usage")
    .selectAll()
    .where((where) => where.or([where("id", "=", recordId), where("id", "=", parentId)])),
);

/** Counts of several records and families, by their ids. */
export async function findUsage(db: Db, ids: readonly string[]): Promise<Map<string, UsageRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("usage")
    .selectAll()
    .where("id", "in", [...ids])
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

export const listRecordParents = (db: Db, ids: readonly string[]): Promise<{ id: string; parent_id: string }[]> =>
  db
    .selectFrom("record")
    .select(["id", "parent_id"])
    .where("id", "in", [...ids])
    .execute();

export async function readUsageHead(db: Db): Promise<number> {
  const row = await db
    .selectFrom("usage")
    .select((all) => all.fn.max("seq").as("seq"))
    .executeTakeFirst();
  return Number(row?.seq ?? 0);
}

/** Adds to the counts of one id. */
export async function addUsage(
  db: Db,
  { id, parent_id, seq }: Pick<UsageRow, "id" | "parent_id" | "seq">,
  added: UsageCounts,
): Promise<void> {
  await db
    .insertInto("usage")
    .values({ id, parent_id, seq, ...added })
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet(({ eb, ref }) => ({
        seq,
        views: eb(ref("usage.views"), "+", added.views),
        unique_views: eb(ref("usage.unique_views"), "+", added.unique_views),
        downloads: eb(ref("usage.downloads"), "+", added.downloads),
        unique_downloads: eb(ref("usage.unique_downloads"), "+", added.unique_downloads),
        data_volume: eb(ref("usage.data_volume"), "+", added.data_volume),
      })),
    )
    .execute();
}
