import type { Db } from "../database/open.ts";
import type { DraftRow, RecordRow } from "../database/schema.ts";

/** Rows of one page by id. */
export async function findRows(
  db: Db,
  table: "record" | "draft",
  ids: readonly string[],
): Promise<Map<string, RecordRow | DraftRow>> {
  if (ids.length === 0) return new Map();
  const rows: (RecordRow | DraftRow)[] =
    table === "record"
      ? await db
          .selectFrom("record")
          .selectAll()
          .where("id", "in", [...ids])
          .where("tombstone", "is", null)
          .execute()
      : await db
          .selectFrom("draft")
          .selectAll()
          .where("id", "in", [...ids])
          .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
