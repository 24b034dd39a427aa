import type { Db } from "./open.ts";
import { prepared, preparedFirst } from "./prepared.ts";

const findRow = preparedFirst((db, name: string) => db.selectFrom("setting").select("value").where("name", "=", name));

/** A value that a host keeps under a name in its own database. */
export const findSetting = async (db: Db, name: string): Promise<string | undefined> =>
  (await findRow(db, name))?.value;

/** Inserts or replaces the value. */
export const storeSetting = prepared((db, name: string, value: string) =>
  db
    .insertInto("setting")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value })),
);

/** Inserts the value unless the name has one. */
export const insertSetting = prepared((db, name: string, value: string) =>
  db
    .insertInto("setting")
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing()),
);

export const deleteSetting = prepared((db, name: string) => db.deleteFrom("setting").where("name", "=", name));
