import type { Db } from "../../shared/database/open.ts";

const name = "database_epoch";

/** Epoch of a database that was never restored. */
export const firstEpoch = "first";

/** The epoch of this database. Restoring a backup starts a new one. */
export async function readEpoch(db: Db): Promise<string> {
  const row = await db.selectFrom("setting").select("value").where("name", "=", name).executeTakeFirst();
  return row?.value ?? firstEpoch;
}

/** Starts a new epoch. */
export const writeEpoch = (db: Db, epoch: string) =>
  db
    .insertInto("setting")
    .values({ name, value: epoch })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: epoch }))
    .execute();
