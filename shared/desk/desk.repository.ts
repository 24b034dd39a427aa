import { sql } from "kysely";
import type { Db } from "../database/open.ts";
import type { DeskNoteRow } from "../database/schema.ts";

/** The keys of the notes of a shelf, in order. */
export const listNoteKeys = async (db: Db, owner: string, shelf: string): Promise<string[]> => {
  const rows = await db
    .selectFrom("desk_note")
    .select("key")
    .where("user_id", "=", owner)
    .where("shelf", "=", shelf)
    .orderBy("key")
    .execute();
  return rows.map(({ key }) => key);
};

/** The JSON text of a note. */
export const findNote = async (db: Db, owner: string, shelf: string, key: string): Promise<string | undefined> =>
  (
    await db
      .selectFrom("desk_note")
      .select("value")
      .where("user_id", "=", owner)
      .where("shelf", "=", shelf)
      .where("key", "=", key)
      .executeTakeFirst()
  )?.value;

export const upsertNote = (db: Db, row: DeskNoteRow) =>
  db
    .insertInto("desk_note")
    .values(row)
    .onConflict((known) => known.columns(["user_id", "shelf", "key"]).doUpdateSet({ value: row.value }))
    .execute();

export const deleteNote = (db: Db, owner: string, shelf: string, key: string) =>
  db.deleteFrom("desk_note").where("user_id", "=", owner).where("shelf", "=", shelf).where("key", "=", key).execute();

interface Measure {
  /** Notes on the shelf. */
  notes: number;
  /** Bytes of the user's other notes. */
  others: number;
  isKnown: boolean;
}

/** Measures the notes of a user. `octet_length` takes the size from the row's header, without reading the text. */
export async function measureNotes(
  db: Db,
  { owner, shelf, key }: { owner: string; shelf: string; key: string },
): Promise<Measure> {
  const isThis = sql<boolean>`(shelf = ${shelf} and key = ${key})`;
  const { notes, others, known } = await db
    .selectFrom("desk_note")
    .select((row) => [
      row.fn.countAll<number>().filterWhere("shelf", "=", shelf).as("notes"),
      row.fn.countAll<number>().filterWhere(isThis).as("known"),
      row.fn
        .coalesce(
          row.fn.sum<number>(row.fn<number>("octet_length", ["value"])).filterWhere(row.not(isThis)),
          row.val(0),
        )
        .as("others"),
    ])
    .where("user_id", "=", owner)
    .executeTakeFirstOrThrow();
  return { notes, others: Number(others), isKnown: known > 0 };
}
