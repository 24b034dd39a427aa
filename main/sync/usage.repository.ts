import type { Db } from "../../shared/database/open.ts";
import type { UsageRow } from "../../shared/database/schema.ts";

/** Stores the server's usage counts. */
export const upsertUsage = (db: Db, row: UsageRow) =>
  db
    .insertInto("usage")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doUpdateSet(row))
    .execute();

export const deleteFamilyUsage = (db: Db, parentId: string) =>
  db.deleteFrom("usage").where("parent_id", "=", parentId).execute();
