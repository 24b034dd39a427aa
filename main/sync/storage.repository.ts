import { sql } from "kysely";
import type { Db } from "../../shared/database/open.ts";
import type { Keeping } from "../../shared/sync-protocol/keeping.schema.ts";

/** The distinct bytes that files here stand for. */
export async function listFileBytes(db: Db): Promise<{ sha256: string; size: number }[]> {
  const rows = await db
    .selectFrom("file_entry")
    .select(["sha256", "size"])
    .distinct()
    .where("sha256", "is not", null)
    .execute();
  return rows.map(({ sha256, size }) => ({ sha256: sha256 ?? "", size: size ?? 0 }));
}

/** Takes away what is known of bytes. @returns the digests of those that may be on this computer. */
export async function forgetBytes(db: Db): Promise<string[]> {
  const recorded = await db.deleteFrom("blob").returning("sha256").execute();
  return [...new Set([...recorded, ...(await listFileBytes(db))].map(({ sha256 }) => sha256))];
}

/** A file as it takes room: of which draft or record it is, under what title. */
export interface FilePlace {
  sha256: string;
  size: number;
  key: string;
  record: string;
  kind: "draft" | "record";
  title: string | null;
}

/** Complete files of everything here. @param record of that draft or record alone. */
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

/** Whether a draft or record is here. */
export async function holdsRecord(db: Db, id: string): Promise<boolean> {
  const { rows } =
    await sql`select 1 from record where id = ${id} union all select 1 from draft where id = ${id}`.execute(db);
  return rows.length > 0;
}

/** Which files the rules keep here, smallest first. @param userId whose library it is */
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
