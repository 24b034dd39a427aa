import { sql } from "kysely";
import type { Db } from "../database/open.ts";

/** Bytes that count against a user's quota. They name the blob once it is complete, so that equal bytes count once. */
export interface StoredBytes {
  sha256: string | null;
  size: number;
  /** The row of an upload. */
  upload?: string;
}

export const findOwner = async (db: Db, parentId: string): Promise<string | undefined> =>
  (await db.selectFrom("parent").select("owner_id").where("id", "=", parentId).executeTakeFirst())?.owner_id;

/** Families of a user ordered by id: at most `most` after the id `after`. */
export const listOwnedFamilies = async (db: Db, owner: string, after: string, most: number): Promise<string[]> => {
  const query = db.selectFrom("parent").select("id").where("owner_id", "=", owner).where("id", ">", after);
  return (await query.orderBy("id").limit(most).execute()).map(({ id }) => id);
};

/** The committed files of some families, and the uploads for their pending files. */
export async function listFamilyBytes(db: Db, parents: readonly string[]): Promise<StoredBytes[]> {
  const files = db
    .selectFrom("file_entry")
    .select(["sha256", sql<number>`coalesce(size, 0)`.as("size")])
    .where("parent_id", "in", parents)
    .where("sha256", "is not", null);
  const uploads = db
    .selectFrom("file_entry")
    .innerJoin("upload", (join) =>
      join.on(sql<boolean>`upload.key in ('content:file:' || file_entry.id, 'partial:file:' || file_entry.id)`),
    )
    .select(["upload.sha256", "upload.upload_offset as size", "upload.complete", "upload.key as upload"])
    .where("file_entry.parent_id", "in", parents)
    .where("file_entry.sha256", "is", null);
  const uploaded = (await uploads.execute()).map(({ sha256, complete, ...row }) => ({
    sha256: complete ? sha256 : null,
    ...row,
  }));
  return [...(await files.execute()), ...uploaded];
}

/** Bytes that a user's replicas sent and no file has yet, and the user's attachments. */
export async function listSentBytes(db: Db, userId: string): Promise<StoredBytes[]> {
  const between = (start: string) => sql<boolean>`upload.key >= ${`${start}:`} and upload.key < ${`${start};`}`;
  const uploads = await db
    .selectFrom("upload")
    .select(["sha256", "upload_offset as size", "complete", "key as upload"])
    .where((where) => where.or([between(`content:blob:${userId}`), between(`partial:blob:${userId}`)]))
    .execute();
  const attachments = await db
    .selectFrom("event_file")
    .select(["sha256", "size"])
    .where("uploader_id", "=", userId)
    .execute();
  const sent = uploads.map(({ sha256, complete, ...row }) => ({ sha256: complete ? sha256 : null, ...row }));
  return [...sent, ...attachments];
}

/** A user's own quota; undefined if the quota of the settings applies. */
export const findQuota = async (db: Db, userId: string): Promise<number | undefined> =>
  (await db.selectFrom("storage_quota").select("quota_bytes").where("user_id", "=", userId).executeTakeFirst())
    ?.quota_bytes;

/** Stores a user's own quota; null removes it. */
export async function storeQuota(db: Db, userId: string, bytes: number | null): Promise<void> {
  await db.deleteFrom("storage_quota").where("user_id", "=", userId).execute();
  if (bytes !== null) await db.insertInto("storage_quota").values({ user_id: userId, quota_bytes: bytes }).execute();
}

/** Ids of all users who may occupy storage. */
export const listOccupants = async (db: Db): Promise<string[]> =>
  (await db.selectFrom("user").select("id").execute()).map(({ id }) => id);

export const isOccupant = async (db: Db, userId: string): Promise<boolean> =>
  (await db.selectFrom("user").select("id").where("id", "=", userId).executeTakeFirst()) !== undefined;
