import { sql } from "kysely";
import type { Db } from "../../../shared/database/open.ts";
import type { UpstreamBlobRow } from "../../../shared/database/schema.ts";

/** The names that entries of a draft got here, with the operation that gave each. */
export async function listNames(db: Db, draftId: string) {
  const prefix = `${draftId}/`;
  const rows = await db
    .selectFrom("upstream_id")
    .select(["local_id", "remote_id", "operation_id"])
    .where("kind", "=", "file")
    .where(sql<boolean>`substr(remote_id, 1, ${prefix.length}) = ${prefix}`)
    .execute();
  return rows.map(({ local_id: entryId, remote_id, operation_id: operationId }) => {
    return { key: remote_id.slice(prefix.length), entryId, operationId };
  });
}

/** An entry of a draft keeps the id that it got here. */
export async function nameEntry(db: Db, draftId: string, key: string, entryId: string, operationId: string) {
  const remote_id = `${draftId}/${key}`;
  // A name that was used before belongs to the new entry.
  await db.deleteFrom("upstream_id").where("kind", "=", "file").where("remote_id", "=", remote_id).execute();
  await db
    .insertInto("upstream_id")
    .values({ kind: "file", local_id: entryId, remote_id, operation_id: operationId })
    .onConflict((conflict) => conflict.columns(["kind", "local_id"]).doUpdateSet({ remote_id }))
    .execute();
}

/** The digest of bytes that were once on this computer, by MD5 and size. */
export async function findDigest(db: Db, md5: string, size: number): Promise<string | undefined> {
  const row = await db
    .selectFrom("upstream_blob")
    .select("sha256")
    .where("md5", "=", md5)
    .where("size", "=", size)
    .executeTakeFirst();
  return row?.sha256;
}

/** Remembers the digest of bytes that the server names by their MD5. */
export const upsertDigest = (db: Db, row: UpstreamBlobRow) =>
  db
    .insertInto("upstream_blob")
    .values(row)
    .onConflict((conflict) => conflict.column("sha256").doUpdateSet(row))
    .execute();

/** Where the server has these bytes, published files first. */
export const findPlace = (db: Db, sha256: string) =>
  db
    .selectFrom("file_entry")
    .select(["owner_kind", "owner_id", "key", "md5", "size"])
    .where("sha256", "=", sha256)
    .where("status", "=", "completed")
    .orderBy("owner_kind", "desc")
    .executeTakeFirst();

/** Operations that bring bytes: a file that was added, or that was removed and is restored. */
const sent = sql`(select wire_id, kind, state, position, payload ->> 'draftId' as draft_id,
    case kind when 'file.restore' then payload -> 'entry' else payload end as file
  from operation where kind in ('file.commit', 'file.restore'))`;

/** A file that waits for its bytes on the server. */
export interface WantedFile {
  /** The operation that completes it. */
  operationId: string;
  draftId: string;
  key: string;
  sha256: string;
  md5: string;
  size: number;
}

/** Files of unsent operations with these bytes. */
export async function listWanted(db: Db, sha256: string): Promise<WantedFile[]> {
  const { rows } = await sql<WantedFile>`select wire_id as "operationId", draft_id as "draftId", file ->> 'key' as key,
      file ->> 'sha256' as sha256, file ->> 'md5' as md5, cast(file ->> 'size' as integer) as size
    from ${sent} where state in ('pending', 'sending') and file ->> 'sha256' = ${sha256} order by position`.execute(db);
  return rows;
}

/** Entries that operations after this one restore and that were not sent yet. */
export async function listRestoredAfter(db: Db, draftId: string, position: number): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`select file ->> 'id' as id from ${sent}
    where kind = 'file.restore' and state in ('pending', 'sending') and draft_id = ${draftId}
      and position > ${position}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Names under which unsent operations bring bytes into a draft. */
export async function listWantedKeys(db: Db, draftId: string): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`select payload ->> 'key' as key from operation
      where kind = 'file.commit' and state in ('pending', 'sending') and payload ->> 'draftId' = ${draftId}
      order by position`.execute(db);
  return rows.map(({ key }) => key);
}

/**
 * Whether an operation of this user brings these bytes under this name.
 * @param entryId only those of this entry: the name may have been given to another file since
 */
export async function isOwnUpload(
  db: Db,
  { draftId, key, md5, entryId }: { draftId: string; key: string; md5: string | undefined; entryId?: string },
): Promise<boolean> {
  const ofEntry = entryId === undefined ? sql`` : sql`and coalesce(file ->> 'entryId', file ->> 'id') = ${entryId}`;
  const { rows } = await sql<unknown>`select 1 from ${sent}
    where state in ('pending', 'sending', 'applied') and draft_id = ${draftId}
      and file ->> 'key' = ${key} and file ->> 'md5' = ${md5 ?? ""} ${ofEntry}`.execute(db);
  return rows.length > 0;
}
