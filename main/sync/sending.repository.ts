import { sql } from "kysely";
import type { Db } from "../../shared/database/open.ts";

/** They are on their way. */
export const startSending = (db: Db, ids: string[]) =>
  db
    .updateTable("operation")
    .set((of) => ({ state: "sending", attempts: of("attempts", "+", 1) }))
    .where("id", "in", ids)
    .execute();

/** Those that the server did not come to wait again as if they had not been sent. */
export const withdrawSending = (db: Db, ids: string[]) =>
  db
    .updateTable("operation")
    .set((of) => ({ state: "pending", attempts: sql<number>`max(${of.ref("attempts")} - 1, 0)` }))
    .where("state", "=", "sending")
    .where("id", "in", ids)
    .execute();

/** Those being sent wait again. */
export const endSending = (db: Db, ids: string[]) =>
  db.updateTable("operation").set({ state: "pending" }).where("state", "=", "sending").where("id", "in", ids).execute();
