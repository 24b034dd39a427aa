import type { Db } from "../database/open.ts";
import type { UploadRoomRow } from "../database/schema.ts";

/** The rooms of a user. A lease of more than twice its length comes from a clock that was set back since. */
export const listRooms = (db: Db, userId: string, now: number, lease: number): Promise<UploadRoomRow[]> =>
  db
    .selectFrom("upload_room")
    .selectAll()
    .where("user_id", "=", userId)
    .where("held_until", ">", now)
    .where("held_until", "<=", now + 2 * lease)
    .execute();

/** Stores a room, a larger one, or a longer lease. */
export const upsertRoom = (db: Db, row: UploadRoomRow) =>
  db
    .insertInto("upload_room")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ bytes: row.bytes, held_until: row.held_until }))
    .execute();

export const deleteRoom = (db: Db, id: string) => db.deleteFrom("upload_room").where("id", "=", id).execute();

/** Deletes rooms of processes that are silent, and of an earlier call on the same upload. */
export const deleteLeftRooms = (db: Db, now: number, upload: string | null) =>
  db
    .deleteFrom("upload_room")
    .where((where) => where.or([where("held_until", "<=", now), where("upload", "=", upload)]))
    .execute();
