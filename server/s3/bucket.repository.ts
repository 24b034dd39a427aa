import { sql } from "kysely";
import type { Db, Tx } from "../../shared/database/open.ts";
import type { BucketObjectRow, BucketPartRow, BucketUploadRow } from "../../shared/database/schema.ts";

export const findObject = (db: Db, sha256: string): Promise<BucketObjectRow | undefined> =>
  db.selectFrom("bucket_object").selectAll().where("sha256", "=", sha256).executeTakeFirst();

/** Notes where the bytes of a blob are, unless they have a place already, which then counts as used now. */
export async function keepObject(tx: Tx, row: BucketObjectRow): Promise<BucketObjectRow> {
  return tx
    .insertInto("bucket_object")
    .values(row)
    .onConflict((conflict) => conflict.column("sha256").doUpdateSet({ used: row.used }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Notes another place of the bytes of a blob. */
export const replaceObject = (tx: Tx, { sha256, object, size, used }: BucketObjectRow) =>
  tx.updateTable("bucket_object").set({ object, size, used }).where("sha256", "=", sha256).execute();

/** Forgets the bytes of a blob that has no row and was not stored again lately. @returns the object to delete */
export async function deleteUnusedObject(tx: Tx, sha256: string, used: number): Promise<string | undefined> {
  const row = await tx
    .deleteFrom("bucket_object")
    .where("sha256", "=", sha256)
    .where("used", "<", used)
    .where("sha256", "not in", tx.selectFrom("blob").select("blob.sha256").where("blob.sha256", "=", sha256))
    .returning("object")
    .executeTakeFirst();
  return row?.object;
}

/** Blobs whose bytes are here without a row of their own, not stored again since `used`. */
export const listUnlinkedObjects = async (db: Db, used: number): Promise<string[]> => {
  const rows = await db
    .selectFrom("bucket_object")
    .select("sha256")
    .where("used", "<", used)
    .where("sha256", "not in", db.selectFrom("blob").select("blob.sha256"))
    .execute();
  return rows.map(({ sha256 }) => sha256);
};

export const findUpload = (db: Db, name: string): Promise<BucketUploadRow | undefined> =>
  db.selectFrom("bucket_upload").selectAll().where("name", "=", name).executeTakeFirst();

export const insertUpload = (db: Db, row: BucketUploadRow) => db.insertInto("bucket_upload").values(row).execute();

/** Changes an upload that still has this name. @returns whether it has: another process gives it a new one. */
export async function updateUpload(db: Db, name: string, row: Partial<BucketUploadRow>): Promise<boolean> {
  const { numUpdatedRows } = await db.updateTable("bucket_upload").set(row).where("name", "=", name).executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Takes the number of the next part. @returns undefined if the upload has another name now */
export async function takePartNumber(db: Db, name: string): Promise<number | undefined> {
  const row = await db
    .updateTable("bucket_upload")
    .set((set) => ({ next_part: set("next_part", "+", 1) }))
    .where("name", "=", name)
    .returning("next_part")
    .executeTakeFirst();
  return row && row.next_part - 1;
}

/** @returns whether there was one */
export async function deleteUpload(tx: Tx, { name, object }: Pick<BucketUploadRow, "name" | "object">) {
  const { numDeletedRows } = await tx.deleteFrom("bucket_upload").where("name", "=", name).executeTakeFirst();
  if (numDeletedRows === 0n) return false;
  await tx.deleteFrom("bucket_part").where("object", "=", object).execute();
  return true;
}

export const listUploadNames = async (db: Db): Promise<string[]> =>
  (await db.selectFrom("bucket_upload").select("name").execute()).map(({ name }) => name);

/** Uploads without activity since `updated` that the uploads of users do not name: of calls that never ended. */
export const listLostUploads = async (db: Db, updated: number): Promise<string[]> => {
  const rows = await db
    .selectFrom("bucket_upload")
    .select("name")
    .where("updated", "<", updated)
    .where("name", "not in", db.selectFrom("upload").select("upload.name").where("complete", "=", 0))
    .execute();
  return rows.map(({ name }) => name);
};

export const insertPart = (tx: Tx, row: BucketPartRow) => tx.insertInto("bucket_part").values(row).execute();

export const listParts = (db: Db, object: string) =>
  db.selectFrom("bucket_part").select(["number", "etag"]).where("object", "=", object).orderBy("number").execute();

/** The multipart uploads, by the store's ids, that a row names. */
export async function listKnownParts(db: Db, uploads: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ multipart: string }>`select multipart from bucket_upload
    where multipart in (select value from json_each(${JSON.stringify(uploads)}))`.execute(db);
  return new Set(rows.map(({ multipart }) => multipart));
}

/** The keys that a row names. */
export async function listKnownKeys(db: Db, keys: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    with asked (key) as (select value from json_each(${JSON.stringify(keys)}))
    select key from asked where exists (select 1 from bucket_object where object = key)
      or exists (select 1 from bucket_upload where object = key or tail = key)`.execute(db);
  return new Set(rows.map(({ key }) => key));
}
