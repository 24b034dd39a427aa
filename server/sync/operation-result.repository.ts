import type { Db } from "../../shared/database/open.ts";
import { prepared, preparedFirst } from "../../shared/database/prepared.ts";
import type { OperationResultRow } from "../../shared/database/schema.ts";

export const findResult = preparedFirst((db, id: string) =>
  db.selectFrom("operation_result").selectAll().where("id", "=", id),
);

export const insertResult = prepared((db, row: OperationResultRow) => db.insertInto("operation_result").values(row));

/** A user's operations applied after one feed position and up to another. */
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
