import { sql } from "kysely";
import type { Db } from "../database/open.ts";
import { prepared } from "../database/prepared.ts";
import type { ConflictRow, DocumentWriterRow } from "../database/schema.ts";
import { sortedBy } from "../database/sorted.ts";

const readConflicts = prepared((db, draftId: string) =>
  db.selectFrom("conflict").selectAll().where("draft_id", "=", draftId),
);

export const listConflicts = sortedBy(readConflicts, "created");

/** Newest first. */
export const listConflictsOf = (db: Db, userId: string): Promise<ConflictRow[]> =>
  db
    .selectFrom("conflict")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("created", "desc")
    .orderBy("id", "desc")
    .execute();

export const findConflict = (db: Db, id: string): Promise<ConflictRow | undefined> =>
  db.selectFrom("conflict").selectAll().where("id", "=", id).executeTakeFirst();

export const insertConflict = (db: Db, row: ConflictRow) => db.insertInto("conflict").values(row).execute();

export const moveConflict = (db: Db, id: string, path: string) =>
  db.updateTable("conflict").set({ path }).where("id", "=", id).execute();

export const deleteConflict = (db: Db, id: string) => db.deleteFrom("conflict").where("id", "=", id).execute();

export const deleteConflicts = (db: Db, draftId: string) =>
  db.deleteFrom("conflict").where("draft_id", "=", draftId).execute();

export const listWriters = (db: Db, draftId: string): Promise<DocumentWriterRow[]> =>
  db.selectFrom("document_writer").selectAll().where("draft_id", "=", draftId).execute();

const upsertWriters = prepared(
  (_db, draftId: string, paths: string, userId: string, written: number) => sql`
    insert into document_writer (draft_id, path, user_id, written)
    select ${draftId}, value, ${userId}, cast(${written} as bigint) from json_each(${paths}) where true
    on conflict (draft_id, path) do update set user_id = excluded.user_id, written = excluded.written`,
);

/** Notes who wrote last at some paths, each of which is named once. */
export const noteWriters = (db: Db, draftId: string, paths: readonly string[], userId: string, written: number) =>
  upsertWriters(db, draftId, JSON.stringify(paths), userId, written);

export async function findOwner(db: Db, parentId: string): Promise<string | undefined> {
  const parent = await db.selectFrom("parent").select("owner_id").where("id", "=", parentId).executeTakeFirst();
  return parent?.owner_id;
}
