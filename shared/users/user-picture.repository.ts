import type { Db } from "../database/open.ts";
import type { UserPictureRow } from "../database/schema.ts";

export const findPicture = (db: Db, userId: string): Promise<UserPictureRow | undefined> =>
  db.selectFrom("user_picture").selectAll().where("user_id", "=", userId).executeTakeFirst();

export const upsertPicture = (db: Db, row: UserPictureRow) =>
  db
    .insertInto("user_picture")
    .values(row)
    .onConflict((known) => known.column("user_id").doUpdateSet({ sha256: row.sha256, bytes: row.bytes }))
    .execute();

export const deletePicture = (db: Db, userId: string) =>
  db.deleteFrom("user_picture").where("user_id", "=", userId).execute();
