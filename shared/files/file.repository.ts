import type { Db } from "../database/open.ts";
import type { FileEntryRow, RecordRow } from "../database/schema.ts";
import type { EntryOwner } from "./file.reader.ts";

export const findEntry = (db: Db, owner: EntryOwner, key: string): Promise<FileEntryRow | undefined> =>
  db
    .selectFrom("file_entry")
    .selectAll()
    .where("owner_kind", "=", owner.kind)
    .where("owner_id", "=", owner.id)
    .where("key", "=", key)
    .executeTakeFirst();

export const findEntryById = (db: Db, owner: EntryOwner, id: string): Promise<FileEntryRow | undefined> =>
  db
    .selectFrom("file_entry")
    .selectAll()
    .where("owner_kind", "=", owner.kind)
    .where("owner_id", "=", owner.id)
    .where("id", "=", id)
    .executeTakeFirst();

/** The names that exist. */
export const listKeys = async (db: Db, owner: EntryOwner, keys: string[]): Promise<string[]> => {
  if (keys.length === 0) return [];
  const rows = await db
    .selectFrom("file_entry")
    .select("key")
    .where("owner_kind", "=", owner.kind)
    .where("owner_id", "=", owner.id)
    .where("key", "in", keys)
    .execute();
  return rows.map(({ key }) => key);
};

export const insertEntries = (db: Db, rows: FileEntryRow[]) => db.insertInto("file_entry").values(rows).execute();

export const updateEntry = (db: Db, id: string, change: Partial<FileEntryRow>) =>
  db.updateTable("file_entry").set(change).where("id", "=", id).execute();

export const deleteEntries = (db: Db, ids: string[]) =>
  ids.length === 0 ? Promise.resolve([]) : db.deleteFrom("file_entry").where("id", "in", ids).execute();

/** The newest entries of drafts and records with these bytes; a limited number. */
export const listEntriesOfBlob = (db: Db, sha256: string): Promise<FileEntryRow[]> =>
  db.selectFrom("file_entry").selectAll().where("sha256", "=", sha256).orderBy("created", "desc").limit(200).execute();

/** The previous published version that is not deleted. */
export const findPreviousRecord = (db: Db, parentId: string, index: number): Promise<RecordRow | undefined> =>
  db
    .selectFrom("record")
    .selectAll()
    .where("parent_id", "=", parentId)
    .where("version_index", "<", index)
    .where("tombstone", "is", null)
    .orderBy("version_index", "desc")
    .executeTakeFirst();

export const findUsername = async (db: Db, userId: string): Promise<string | undefined> =>
  (await db.selectFrom("user").select("username").where("id", "=", userId).executeTakeFirst())?.username;
