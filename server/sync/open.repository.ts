import type { Db } from "../../shared/database/open.ts";
import type { SubscriptionRow } from "../../shared/database/schema.ts";

/** The family of a record, draft, or family id. */
export async function findFamilyOf(db: Db, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("record")
    .select("parent_id")
    .where("id", "=", id)
    .union(db.selectFrom("draft").select("parent_id").where("id", "=", id))
    .union(db.selectFrom("parent").select("id as parent_id").where("id", "=", id))
    .executeTakeFirst();
  return row?.parent_id;
}

export const insertSubscription = (db: Db, row: SubscriptionRow) =>
  db
    .insertInto("subscription")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
