import type { Db } from "../database/open.ts";
import { preparedFirst } from "../database/prepared.ts";
import type { PidRow } from "../database/schema.ts";
import { parentDoiScheme } from "./pids.schema.ts";

/** The row with the DOI of all versions of a family, reserved or registered (interoperability 13). */
export const findParentDoi = preparedFirst((db, parentId: string) =>
  db.selectFrom("pid").selectAll().where("parent_id", "=", parentId).where("scheme", "=", parentDoiScheme),
);

/** As `findParentDoi`, for several families at once, by their ids. */
export async function findParentDois(db: Db, parentIds: readonly string[]): Promise<Map<string, PidRow>> {
  if (parentIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("pid")
    .selectAll()
    .where("parent_id", "in", [...parentIds])
    .where("scheme", "=", parentDoiScheme)
    .execute();
  return new Map(rows.map((row) => [row.parent_id, row]));
}
