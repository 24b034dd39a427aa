import type { Db } from "../../shared/database/open.ts";
import { deleteSetting, findSetting, storeSetting } from "../../shared/database/setting.repository.ts";

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
  const value = await findSetting(db, prefixOf(shelf) + key);
  return value === undefined ? undefined : { key, value: JSON.parse(value) };
}

export const keepNote = (db: Db, shelf: string, { key, value }: DeskNote) =>
  storeSetting(db, prefixOf(shelf) + key, JSON.stringify(value));

export const dropNote = (db: Db, shelf: string, key: string) => deleteSetting(db, prefixOf(shelf) + key);
