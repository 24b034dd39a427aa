import type { Db } from "../database/open.ts";
import type { DeskNoteRow } from "../database/schema.ts";

const noteOf = (db: Db, owner: string, shelf: string, key: string) =>
  db.selectFrom("desk_note").selectAll().where("user_id", "=", owner).where("shelf", "=", shelf).where("key", "=", key);

/** The notes of a shelf, ordered by key. */
export const listNotes = (db: Db, owner: string, shelf: string): Promise<DeskNoteRow[]> =>
  db
    .selectFrom("desk_note")
    .selectAll()
    .where("user_id", "=", owner)
    .where("shelf", "=", shelf)
    .orderBy("key")
    .execute();

export const findNote = (db: Db, owner: string, shelf: string, key: string): Promise<DeskNoteRow | undefined> =>
  noteOf(db, owner, shelf, key).executeTakeFirst();

export const upsertNote = (db: Db, row: DeskNoteRow) =>
  db
    .insertInto("desk_note")
    .values(row)
    .onConflict((known) => known.columns(["user_id", "shelf", "key"]).doUpdateSet({ value: row.value }))
    .execute();

export const deleteNote = (db: Db, owner: string, shelf: string, key: string) =>
  db.deleteFrom("desk_note").where("user_id", "=", owner).where("shelf", "=", shelf).where("key", "=", key).execute();

/** Notes on a shelf, and characters of all notes, of one user. */
export async function measureNotes(db: Db, owner: string, shelf: string): Promise<{ notes: number; size: number }> {
  const { notes, size } = await db
    .selectFrom("desk_note")
    .select((row) => [
      row.fn.countAll<number>().filterWhere("shelf", "=", shelf).as("notes"),
      row.fn.coalesce(row.fn.sum<number>(row.fn<number>("length", ["value"])), row.val(0)).as("size"),
    ])
    .where("user_id", "=", owner)
    .executeTakeFirstOrThrow();
  return { notes, size: Number(size) };
}
