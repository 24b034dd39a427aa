import type { Db } from "../../shared/database/open.ts";
import type { OperationResultRow } from "../../shared/database/schema.ts";

export const findResult = (db: Db, id: string): Promise<OperationResultRow | undefined> =>
  db.selectFrom("operation_result").selectAll().where("id", "=", id).executeTakeFirst();

export const insertResult = (db: Db, row: OperationResultRow) =>
  db.insertInto("operation_result").values(row).execute();

/** A person's operations that took effect after one feed position and up to another. */
export const listApplied = (db: Db, userId: string, after: number, upTo: number) =>
  db
    .selectFrom("operation_result")
    .select(["id", "seq"])
    .where("user_id", "=", userId)
    .where("seq", ">", after)
    .where("seq", "<=", upTo)
    .where("outcome", "=", "applied")
    .orderBy("seq")
    .execute();
