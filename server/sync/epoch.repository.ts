import type { Db } from "../../shared/database/open.ts";

const name = "database_epoch";

/** Of a database that was never restored. */
export const firstEpoch = "first";

/** Which life of the database this is; another one begins when it is restored from a backup. */
export async function readEpoch(db: Db): Promise<string> {
  const row = await db.selectFrom("setting").select("value").where("name", "=", name).executeTakeFirst();
  return row?.value ?? firstEpoch;
}

/** Begins another life. */
export const writeEpoch = (db: Db, epoch: string) =>
  db
    .insertInto("setting")
    .values({ name, value: epoch })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: epoch }))
    .execute();
