import type { Db } from "../database/open.ts";
import { prepared } from "../database/prepared.ts";
import type { RemovedFileRow } from "../database/schema.ts";

/** Inserts removed files. A file that is removed again, also by a replay, replaces its row. */
export async function upsertRemovedFiles(db: Db, rows: RemovedFileRow[]): Promise<void> {
  for (const row of rows) await upsertRemovedFile(db, row);
}

const upsertRemovedFile = prepared((db, row: RemovedFileRow) =>
  db
    .insertInto("removed_file")
    .values(row)
    .onConflict((conflict) => conflict.column("entry_id").doUpdateSet(row)),
);

/** The removed files of a draft that were not restored, the last removed first. */
export const listRemovedFiles = (db: Db, draftId: string): Promise<RemovedFileRow[]> =>
  db
    .selectFrom("removed_file")
    .selectAll()
    .where("draft_id", "=", draftId)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom("file_entry")
            .select("file_entry.id")
            .whereRef("file_entry.id", "=", "removed_file.entry_id"),
        ),
      ),
    )
    .orderBy("removed", "desc")
    .orderBy("entry_id")
    .execute();

export const findRemovedFile = (db: Db, draftId: string, versionId: string): Promise<RemovedFileRow | undefined> =>
  db
    .selectFrom("removed_file")
    .selectAll()
    .where("draft_id", "=", draftId)
    .where("version_id", "=", versionId)
    .executeTakeFirst();

/** Whether one of these files was removed from a draft. */
export async function isAnyRemoved(db: Db, draftId: string, entryIds: readonly string[]): Promise<boolean> {
  const removed = db.selectFrom("removed_file").select("entry_id").where("draft_id", "=", draftId);
  return (await removed.where("entry_id", "in", [...entryIds]).executeTakeFirst()) !== undefined;
}

/** Drafts from which a file with these bytes was removed, the last removed first; a limited number. */
export const listDraftsWithout = async (db: Db, sha256: string): Promise<string[]> => {
  const rows = await db
    .selectFrom("removed_file")
    .select("draft_id")
    .where("sha256", "=", sha256)
    .orderBy("removed", "desc")
    .limit(200)
    .execute();
  return rows.map(({ draft_id }) => draft_id);
};
