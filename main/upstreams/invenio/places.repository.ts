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

/** The name that an entry of a draft has there; undefined if it was not named there yet. */
export async function findKeyThere(db: Db, draftId: string, entryId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("upstream_id")
    .select("remote_id")
    .where("kind", "=", "file")
    .where("local_id", "=", entryId)
    .executeTakeFirst();
  const prefix = `${draftId}/`;
  return row?.remote_id.startsWith(prefix) ? row.remote_id.slice(prefix.length) : undefined;
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
const brought = sql`(select wire_id, kind, state, position, payload ->> 'draftId' as draft_id,
    case kind when 'file.restore' then payload -> 'entry' else payload end as file
  from operation where kind in ('file.commit', 'file.restore'))`;

/** The name that an entry was given there. @param entryId @param draftId columns */
const givenName = (entryId: string, draftId: string) => sql`(select substr(remote_id, length(${sql.ref(draftId)}) + 2)
  from upstream_id where upstream_id.kind = 'file' and local_id = ${sql.ref(entryId)}
    and substr(remote_id, 1, length(${sql.ref(draftId)}) + 1) = ${sql.ref(draftId)} || '/')`;

/** The same, with the entry and the name that it has there: it may have got another one than here. */
const sent = sql`(select *, coalesce(${givenName("entry_id", "draft_id")}, file ->> 'key') as key
  from (select *, coalesce(file ->> 'entryId', file ->> 'id') as entry_id from ${brought}))`;

/** A file as it is announced: with what describes it, and whether it is hidden. */
export interface Announcement {
  key: string;
  metadata?: Record<string, unknown>;
  access?: { hidden: true };
}

/** How operations announce files of a draft, by their names there. */
export async function listAnnouncements(db: Db, draftId: string): Promise<Map<string, Announcement>> {
  const { rows } = await sql<{ key: string; metadata: string | null; hidden: number | null }>`
    select coalesce(${givenName("entry_id", "draft_id")}, file ->> 'key') as key,
      file -> 'metadata' as metadata, file ->> 'hidden' as hidden
    from (select *, file ->> 'id' as entry_id from (
      select position, payload ->> 'draftId' as draft_id, value as file
        from operation, json_each(payload -> 'files') where operation.kind = 'file.init' and state <> 'rejected'
      union all select position, draft_id, file from ${brought} where kind = 'file.restore'))
    where draft_id = ${draftId} order by position`.execute(db);
  return new Map(
    rows.map(({ key, metadata, hidden }) => {
      const described = JSON.parse(metadata ?? "null");
      const hasWords = described !== null && Object.keys(described).length > 0;
      return [
        key,
        { key, ...(hasWords ? { metadata: described } : {}), ...(hidden ? { access: { hidden: true } } : {}) },
      ];
    }),
  );
}

/** A file that waits for its bytes on the server. */
export interface WantedFile {
  /** The operation that completes it. */
  operationId: string;
  draftId: string;
  entryId: string;
  /** Its name there. */
  key: string;
  sha256: string;
  md5: string;
  size: number;
}

/** Files of unsent operations with these bytes. */
export async function listWanted(db: Db, sha256: string): Promise<WantedFile[]> {
  const { rows } = await sql<WantedFile>`select wire_id as "operationId", draft_id as "draftId",
      entry_id as "entryId", key, file ->> 'sha256' as sha256, file ->> 'md5' as md5, cast(file ->> 'size' as integer) as size
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
  const { rows } = await sql<{ key: string }>`select key from ${sent}
    where kind = 'file.commit' and state in ('pending', 'sending') and draft_id = ${draftId}
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
  const ofEntry = entryId === undefined ? sql`` : sql`and entry_id = ${entryId}`;
  const { rows } = await sql<unknown>`select 1 from ${sent}
    where state in ('pending', 'sending', 'applied') and draft_id = ${draftId}
      and key = ${key} and file ->> 'md5' = ${md5 ?? ""} ${ofEntry}`.execute(db);
  return rows.length > 0;
}
