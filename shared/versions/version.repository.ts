import type { Db } from "../database/open.ts";
import type { AliasRow } from "../database/schema.ts";

/** The highest index of the published versions of a family, deleted ones included. */
export async function findHighestIndex(db: Db, parentId: string): Promise<number> {
  const row = await db
    .selectFrom("record")
    .select((eb) => eb.fn.max("version_index").as("highest"))
    .where("parent_id", "=", parentId)
    .executeTakeFirst();
  return row?.highest ?? 0;
}

export const insertAlias = (db: Db, row: AliasRow) =>
  db
    .insertInto("alias")
    .values(row)
    .onConflict((conflict) => conflict.column("old_id").doNothing())
    .execute();
