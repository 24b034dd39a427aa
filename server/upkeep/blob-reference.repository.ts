import { sql } from "kysely";
import type { Db } from "../../shared/database/open.ts";

export interface ReferredBlob {
  sha256: string;
  /** Size according to the rows. */
  size: number | null;
  /** Whether the blob must be on this computer. A replica also refers to blobs that only the server has. */
  isPresent: number;
}

/** All blobs that rows refer to, by name. */
export async function listReferredBlobs(db: Db): Promise<ReferredBlob[]> {
  const { rows } = await sql<ReferredBlob>`
    with referred (sha256, size, "isPresent") as (
      select sha256, size, case when state = 'present' then 1 else 0 end from blob
      union all select sha256, size, 0 from file_entry where sha256 is not null
      union all select sha256, size, 0 from event_file
      union all select sha256, length, 0 from upload where complete = 1 and sha256 is not null
      union all select blob.value ->> 'sha256', cast(blob.value ->> 'size' as bigint), 0
        from operation, json_each(operation.blobs) as blob)
    select sha256, max(size) as size, max("isPresent") as "isPresent" from referred group by sha256 order by sha256
  `.execute(db);
  return rows;
}

/** Whether the database belongs to a replica: only there a user `local` exists. */
export async function isReplica(db: Db): Promise<boolean> {
  const row = await db.selectFrom("user").select("id").where("id", "=", "local").executeTakeFirst();
  return row !== undefined;
}

/** Unfinished uploads: their ids, and the bytes that count. */
export const listOpenUploads = (db: Db) =>
  db.selectFrom("upload").select(["name", "upload_offset"]).where("complete", "=", 0).execute();

/** Files marked as complete without a blob. */
export const listCompletedWithoutBytes = (db: Db) =>
  db
    .selectFrom("file_entry")
    .select(["key", "owner_id"])
    .where("status", "=", "completed")
    .where("file_id", "is not", null)
    .where((where) =>
      where.or([
        where("sha256", "is", null),
        where("sha256", "not in", where.selectFrom("blob").select("blob.sha256").where("state", "=", "present")),
      ]),
    )
    .execute();
