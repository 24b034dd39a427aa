import type { Db } from "../../shared/database/open.ts";
import type { OperationResultRow } from "../../shared/database/schema.ts";

export const findResult = (db: Db, id: string): Promise<OperationResultRow | undefined> =>
  db.selectFrom("operation_result").selectAll().where("id", "=", id).executeTakeFirst();

export const insertResult = (db: Db, row: OperationResultRow) =>
  db.insertInto("operation_result").values(row).execute();
