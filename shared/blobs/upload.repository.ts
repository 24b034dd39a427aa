import { sql } from "kysely";
import type { Db } from "../database/open.ts";
import type { BlobRow, UploadRow } from "../database/schema.ts";

export const findUpload = (db: Db, key: string): Promise<UploadRow | undefined> =>
  db.selectFrom("upload").selectAll().where("key", "=", key).executeTakeFirst();

/** The key of the row with the complete content of an upload. */
export const contentKeyOf = (key: string): string => `content:${key}`;

/** Total bytes of the complete contents of these uploads. */
export async function sizeOfContents(db: Db, keys: string[]): Promise<number> {
  const rows = sql<string>`(select value from json_each(${JSON.stringify(keys.map(contentKeyOf))}))`;
  const sum = await db
    .selectFrom("upload")
    .select((select) => select.fn.sum<number | null>("upload_offset").as("bytes"))
    .where("key", "in", rows)
    .executeTakeFirst();
  return sum?.bytes ?? 0;
}

export const upsertUpload = (db: Db, row: UploadRow) =>
  db
    .insertInto("upload")
    .values(row)
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ ...row }))
    .execute();

/** Gives the bytes of an upload another name. */
export const renameUpload = (db: Db, key: string, name: string) =>
  db.updateTable("upload").set({ name }).where("key", "=", key).execute();

/** Stores the durable offset of an upload. @returns whether its row still names these bytes. */
export async function updateOffset(
  db: Db,
  { key, name, upload_offset, updated }: Pick<UploadRow, "key" | "name" | "upload_offset" | "updated">,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("upload")
    .set({ upload_offset, updated })
    .where("key", "=", key)
    .where("name", "=", name)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export const deleteUploads = (db: Db, keys: string[]) => db.deleteFrom("upload").where("key", "in", keys).execute();

/** Unfinished uploads without activity since `updated`; finished ones wait for the commit of their file. */
export const listUploadsBefore = (db: Db, updated: number): Promise<UploadRow[]> =>
  db.selectFrom("upload").selectAll().where("complete", "=", 0).where("updated", "<", updated).execute();

export const listUploadNames = async (db: Db): Promise<string[]> =>
  (await db.selectFrom("upload").select("name").where("complete", "=", 0).execute()).map(({ name }) => name);

export const findBlob = (db: Db, sha256: string): Promise<BlobRow | undefined> =>
  db.selectFrom("blob").selectAll().where("sha256", "=", sha256).executeTakeFirst();

export const upsertBlob = (db: Db, row: BlobRow) =>
  db
    .insertInto("blob")
    .values(row)
    .onConflict((conflict) => conflict.column("sha256").doUpdateSet({ state: row.state, used: row.used }))
    .execute();

/** Finished uploads that are no longer needed: sent blobs, and contents of deleted entries. */
export const listForgottenContents = async (db: Db, updated: number): Promise<string[]> => {
  const rows = await db
    .selectFrom("upload")
    .select("key")
    .where("complete", "=", 1)
    .where("updated", "<", updated)
    .where((where) =>
      where.or([
        where("key", "like", "content:blob:%"),
        where.not(
          where.exists(
            where
              .selectFrom("file_entry")
              .select("file_entry.id")
              .where(sql<boolean>`upload.key = 'content:file:' || file_entry.id`),
          ),
        ),
      ]),
    )
    .execute();
  return rows.map(({ key }) => key);
};

/** Blobs without a file, removed file, attachment, upload or unsent operation, and not used since `used`. */
const unusedBlobs = (db: Db, used: number) =>
  db
    .selectFrom("blob")
    .select("blob.sha256")
    .where("state", "=", "present")
    .where("used", "<", used)
    .where((where) => {
      const names = (table: "file_entry" | "removed_file" | "event_file" | "upload") =>
        where.exists(where.selectFrom(table).select(`${table}.sha256`).whereRef(`${table}.sha256`, "=", "blob.sha256"));
      const unsent = where.exists(
        where
          .selectFrom("operation")
          .select("operation.id")
          .where(sql<boolean>`operation.blobs like '%' || blob.sha256 || '%'`),
      );
      return where.not(
        where.or([names("file_entry"), names("removed_file"), names("event_file"), names("upload"), unsent]),
      );
    });

export const listUnusedBlobs = async (db: Db, used: number): Promise<string[]> =>
  (await unusedBlobs(db, used).execute()).map(({ sha256 }) => sha256);

/** Deletes the row of a blob if it is unused, in one statement. @returns whether it did. */
export async function deleteUnusedBlob(db: Db, sha256: string, used: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("blob")
    .where("sha256", "in", unusedBlobs(db, used).where("blob.sha256", "=", sha256))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export const deleteRemovedFilesBefore = (db: Db, removed: number) =>
  db.deleteFrom("removed_file").where("removed", "<", removed).execute();

export const deleteBlob = (db: Db, sha256: string) => db.deleteFrom("blob").where("sha256", "=", sha256).execute();
