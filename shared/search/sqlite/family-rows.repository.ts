import { sql } from "kysely";
import { familyColumns, splitFamily } from "../../access/family.reader.ts";
import type { Db } from "../../database/open.ts";
import { prepared } from "../../database/prepared.ts";
import type { DraftRow, FileEntryRow, RecordRow } from "../../database/schema.ts";
import type { FamilyRows } from "../record-document.ts";

const contentColumns = sql.raw(
  [
    ...["id", "parent_id", "version_index", "created", "updated", "revision_id", "metadata", "expanded"],
    ...["custom_fields", "access", "pids", "files_enabled", "default_preview", "file_order"],
  ].join(", "),
);

type VersionRow = Omit<DraftRow & RecordRow, "tombstone"> & { kind: "record" | "draft" };

/** The edit of a deleted record is gone with it (records 4.7). */
const listVersions = prepared(
  (_db, parentId: string) => sql<VersionRow>`
    select 'record' as kind, ${contentColumns}, is_latest, null as is_edit, null as request_id, null as expires_at
    from record where parent_id = ${parentId} and tombstone is null
    union all select 'draft', ${contentColumns}, null, is_edit, request_id, expires_at
    from draft where parent_id = ${parentId} and not exists (
      select 1 from record where record.id = draft.id and record.tombstone is not null)`,
);
const readParentAndFiles = prepared((db, parentId: string) =>
  db
    .selectFrom("parent")
    .leftJoin("file_entry", (join) =>
      join.onRef("file_entry.parent_id", "=", "parent.id").on("file_entry.status", "=", "completed"),
    )
    .selectAll("file_entry")
    .select(familyColumns)
    .where("parent.id", "=", parentId),
);
const listUsage = prepared((db, parentId: string) =>
  db.selectFrom("usage").selectAll().where("parent_id", "=", parentId),
);

type MaybeFile = { [Column in keyof FileEntryRow]: FileEntryRow[Column] | null };

const isFile = (row: MaybeFile): row is FileEntryRow => row.id !== null;

/** The searched rows under a parent; undefined: no such parent. */
export async function findFamily(db: Db, parentId: string): Promise<FamilyRows | undefined> {
  // Without files there is one row that has the parent alone.
  const joined = (await readParentAndFiles(db, parentId)).map(splitFamily);
  const parent = joined[0]?.parent;
  if (!parent) return undefined;
  const files = joined.flatMap(({ row }) => (isFile(row) ? [row] : []));
  const [records, drafts]: [RecordRow[], DraftRow[]] = [[], []];
  for (const { kind, is_latest, is_edit, request_id, expires_at, ...content } of await listVersions(db, parentId)) {
    if (kind === "record") records.push({ ...content, is_latest, tombstone: null });
    else drafts.push({ ...content, is_edit, request_id, expires_at });
  }
  // A draft that was never published has nothing that could be counted.
  const usage = records.length > 0 ? await listUsage(db, parentId) : [];
  return { parent, records, drafts, files: files.sort((one, other) => one.position - other.position), usage };
}
