import type { Db } from "../database/open.ts";
import type { BlobRow, UploadRow } from "../database/schema.ts";

export const findUpload = (db: Db, key: string): Promise<UploadRow | undefined> =>
  db.selectFrom("upload").selectAll().where("key", "=", key).executeTakeFirst();

export const upsertUpload = (db: Db, row: UploadRow) =>
  db
    .insertInto("upload")
    .values(row)
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ ...row }))
    .execute();

export const updateUpload = (db: Db, key: string, change: Partial<UploadRow>) =>
  db.updateTable("upload").set(change).where("key", "=", key).execute();

export const deleteUploads = (db: Db, keys: string[]) => db.deleteFrom("upload").where("key", "in", keys).execute();

/** Unfinished uploads that nobody continued since; finished ones wait for the commit of their file. */
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
