import type { Db } from "../../shared/database/open.ts";

const prefixOf = (shelf: string): string => `desk.${shelf}.`;

export interface DeskNote {
  key: string;
  value: unknown;
}

/** The notes of a shelf, ordered by key. */
export async function listNotes(db: Db, shelf: string): Promise<DeskNote[]> {
  const prefix = prefixOf(shelf);
  const rows = await db
    .selectFrom("setting")
    .select(["name", "value"])
    .where("name", ">=", prefix)
    .where("name", "<", `${prefix}\u{10ffff}`)
    .orderBy("name")
    .execute();
  return rows.map(({ name, value }) => ({ key: name.slice(prefix.length), value: JSON.parse(value) }));
}

export async function findNote(db: Db, shelf: string, key: string): Promise<DeskNote | undefined> {
  const row = await db
    .selectFrom("setting")
    .select("value")
    .where("name", "=", prefixOf(shelf) + key)
    .executeTakeFirst();
  return row && { key, value: JSON.parse(row.value) };
}

export async function keepNote(db: Db, shelf: string, { key, value }: DeskNote): Promise<void> {
  const text = JSON.stringify(value);
  await db
    .insertInto("setting")
    .values({ name: prefixOf(shelf) + key, value: text })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: text }))
    .execute();
}

export async function dropNote(db: Db, shelf: string, key: string): Promise<void> {
  await db
    .deleteFrom("setting")
    .where("name", "=", prefixOf(shelf) + key)
    .execute();
}
