import { sql } from "kysely";
import type { Db } from "../../shared/database/open.ts";

/** Marks operations as being sent. */
export const startSending = (db: Db, ids: string[]) =>
  db
    .updateTable("operation")
    .set((of) => ({ state: "sending", attempts: of("attempts", "+", 1) }))
    .where("id", "in", ids)
    .execute();

/** Resets operations that the server did not reach, as if they had not been sent. */
export const withdrawSending = (db: Db, ids: string[]) =>
  db
    .updateTable("operation")
    .set((of) => ({ state: "pending", attempts: sql<number>`max(${of.ref("attempts")} - 1, 0)` }))
    .where("state", "=", "sending")
    .where("id", "in", ids)
    .execute();

/** Resets operations that are no longer being sent. */
export const endSending = (db: Db, ids: string[]) =>
  db.updateTable("operation").set({ state: "pending" }).where("state", "=", "sending").where("id", "in", ids).execute();
