import type { Db } from "../database/open.ts";
import type { IdempotencyRow } from "../database/schema.ts";

export const findCall = (db: Db, userId: string, key: string): Promise<IdempotencyRow | undefined> =>
  db.selectFrom("idempotency").selectAll().where("user_id", "=", userId).where("key", "=", key).executeTakeFirst();

export const upsertCall = (db: Db, row: IdempotencyRow) =>
  db
    .insertInto("idempotency")
    .values(row)
    .onConflict((conflict) => conflict.columns(["user_id", "key"]).doUpdateSet({ ...row }))
    .execute();

export const updateCall = (db: Db, userId: string, key: string, change: Partial<IdempotencyRow>) =>
  db.updateTable("idempotency").set(change).where("user_id", "=", userId).where("key", "=", key).execute();

export const deleteCall = (db: Db, userId: string, key: string) =>
  db.deleteFrom("idempotency").where("user_id", "=", userId).where("key", "=", key).execute();

export const deleteCallsBefore = (db: Db, created: number) =>
  db.deleteFrom("idempotency").where("created", "<", created).execute();
