import { sql } from "kysely";
import type { BlobFacts } from "../../shared/blobs/blob-store.ts";
import type { Db } from "../../shared/database/open.ts";
import type { Keeping } from "../../shared/sync-protocol/keeping.schema.ts";

/** The distinct blobs of all files and attachments, and the copies of files that the server has. */
export async function listFileBytes(db: Db): Promise<{ sha256: string; size: number }[]> {
  const { rows } = await sql<{ sha256: string; size: number }>`
    select sha256, max(size) as size from (
      select sha256, coalesce(size, 0) as size from file_entry where sha256 is not null
      union all select sha256, size from event_file
      union all select sha256, size from blob where state = 'remote')
    group by sha256`.execute(db);
  return rows;
}

/** Records a copy of bytes that the server has. @param now in microseconds UTC */
export const insertCopy = (db: Db, { sha256, md5, sizeBytes: size }: BlobFacts, now: number) =>
  db
    .insertInto("blob")
    .values({ sha256, md5, size, state: "remote", created: now, used: now })
    .onConflict((conflict) => conflict.column("sha256").doNothing())
    .execute();

/** Copies that no file, attachment, upload or operation names any more: after a withdrawal, a deletion, a new version. */
export async function listUnreferencedCopies(db: Db): Promise<string[]> {
  const { rows } = await sql<{ sha256: string }>`
    select sha256 from blob where state = 'remote'
      and not exists (select 1 from file_entry where file_entry.sha256 = blob.sha256)
      and not exists (select 1 from event_file where event_file.sha256 = blob.sha256)
      and not exists (select 1 from removed_file where removed_file.sha256 = blob.sha256)
      and not exists (select 1 from upload where upload.sha256 = blob.sha256)
      and not exists (select 1 from operation where instr(operation.blobs || coalesce(operation.snapshot, ''), blob.sha256) > 0)
    `.execute(db);
  return rows.map(({ sha256 }) => sha256);
}

export const deleteCopy = (db: Db, sha256: string) =>
  db.deleteFrom("blob").where("sha256", "=", sha256).where("state", "=", "remote").execute();

/** Deletes the rows of all blobs. */
export const forgetBytes = (db: Db) => db.deleteFrom("blob").execute();

/** Name of the file of a draft or record with these bytes. */
export async function findKey(db: Db, record: string, sha256: string): Promise<string | undefined> {
  const files = db.selectFrom("file_entry").select("key").where("owner_id", "=", record).where("sha256", "=", sha256);
  return (await files.orderBy("updated", "desc").executeTakeFirst())?.key;
}

/** Size of a blob, from the files that use it. */
export async function findSizeOf(db: Db, sha256: string): Promise<number | undefined> {
  const { rows } = await sql<{ size: number | null }>`
    select size from file_entry where sha256 = ${sha256} union all select size from event_file where sha256 = ${sha256}
    limit 1`.execute(db);
  return rows[0]?.size ?? undefined;
}

/** A file, and the draft or record that it belongs to. */
export interface FilePlace {
  sha256: string;
  size: number;
  key: string;
  record: string;
  kind: "draft" | "record";
  title: string | null;
}

/** Completed files. @param record limits them to one draft or record. */
export async function listFilePlaces(db: Db, record: string | null = null): Promise<FilePlace[]> {
  const { rows } = await sql<FilePlace>`
    select file.sha256, coalesce(file.size, 0) as size, file.key, file.owner_id as record, file.owner_kind as kind,
      coalesce(draft.metadata, record.metadata) ->> 'title' as title
    from file_entry as file
    left join draft on file.owner_kind = 'draft' and draft.id = file.owner_id
    left join record on file.owner_kind = 'record' and record.id = file.owner_id
    where file.sha256 is not null and file.status = 'completed' and (${record} is null or file.owner_id = ${record})
    `.execute(db);
  return rows;
}

/** Whether this replica holds a draft or record. */
export async function holdsRecord(db: Db, id: string): Promise<boolean> {
  const { rows } =
    await sql`select 1 from record where id = ${id} union all select 1 from draft where id = ${id}`.execute(db);
  return rows.length > 0;
}

/** Files that the rules keep available offline, smallest first. @param userId the owner of this library */
export async function listKept(db: Db, { own, shared, records }: Keeping, userId: string): Promise<FilePlace[]> {
  const isOn = (rule: string) => (rule === "always" ? 1 : 0);
  const { rows } = await sql<FilePlace>`
    select file.sha256, coalesce(file.size, 0) as size, file.key, file.owner_id as record, file.owner_kind as kind
    from file_entry as file join parent on parent.id = file.parent_id
    where file.sha256 is not null and file.status = 'completed' and (
      (${isOn(own)} and parent.owner_id = ${userId})
      or (${isOn(shared)} and parent.owner_id <> ${userId} and coalesce(parent.viewer_level, 'none') <> 'none')
      or file.owner_id in (select value from json_each(${JSON.stringify(records)})))
    group by file.sha256 order by size`.execute(db);
  return rows;
}

/** Size of the database file in bytes. */
export async function readDatabaseSize(db: Db): Promise<number> {
  const pages = await sql<{ bytes: number }>`select page_count * page_size as bytes
    from pragma_page_count(), pragma_page_size()`.execute(db);
  return pages.rows[0]?.bytes ?? 0;
}
