import { accessStatus } from "../access/embargo.lifecycle.ts";
import type { StoredAccess } from "../access/stored-access.schema.ts";
import type { DraftRow, FileEntryRow, ParentRow, RecordRow, UsageCounts, UsageRow } from "../database/schema.ts";
import { countsOf, presentUsage } from "../usage/usage.presenter.ts";
import { findShippedEntry } from "../vocabularies/shipped-entries.ts";
import { edtfDays } from "./record-fields.ts";

/** Everything under one parent, as it is stored. */
export interface FamilyRows {
  parent: ParentRow;
  /** Without deleted records. */
  records: RecordRow[];
  drafts: DraftRow[];
  /** Completed files of both. */
  files: FileEntryRow[];
  /** Counts of views and downloads; absent: none. */
  usage?: UsageRow[];
}

/** The values for facets (search 8). `days`: null ends are open. */
export interface DocumentFacets {
  access_status: string;
  resource_type: string | null;
  subtype: string | null;
  language: string[];
  subject: string[];
  file_type: string[];
  days: [number | null, number | null] | null;
}

/** One record or draft on its way into the index. */
export interface RecordDocument {
  kind: "record" | "draft";
  row: RecordRow | DraftRow;
  /** The shape of `recordFields`. */
  json: Record<string, unknown>;
  facets: DocumentFacets;
  isLatest: boolean;
  isLatestDraft: boolean;
  /** A published record with an open draft. */
  hasDraft: boolean;
  isPublic: boolean;
  hasPublicFiles: boolean;
  /** Counts of all versions, for the orders `mostviewed` and `mostdownloaded`. */
  usage: UsageCounts;
}

/** The documents of a family: each published version and each draft. */
export function familyDocuments(family: FamilyRows): RecordDocument[] {
  const newest = Math.max(0, ...[...family.records, ...family.drafts].map((row) => row.version_index));
  const latest = new Set(family.records.filter((row) => row.is_latest === 1).map((row) => row.id));
  const drafted = new Set(family.drafts.map((row) => row.id));
  const of = (kind: "record" | "draft", row: RecordRow | DraftRow): RecordDocument =>
    documentOf(family, kind, row, {
      isLatest: latest.has(row.id),
      isLatestDraft: row.version_index === newest,
      hasDraft: kind === "record" && drafted.has(row.id),
    });
  return [...family.records.map((row) => of("record", row)), ...family.drafts.map((row) => of("draft", row))];
}

interface Circumstances {
  isLatest: boolean;
  isLatestDraft: boolean;
  hasDraft: boolean;
}

function documentOf(
  family: FamilyRows,
  kind: "record" | "draft",
  row: RecordRow | DraftRow,
  { isLatest, isLatestDraft, hasDraft }: Circumstances,
): RecordDocument {
  const access = JSON.parse(row.access) as StoredAccess;
  const metadata = withTypeProps(JSON.parse(row.expanded));
  const fileOwner = kind === "draft" && !("is_edit" in row && row.is_edit === 1) ? "draft" : "record";
  const files = family.files.filter((file) => file.owner_kind === fileOwner && file.owner_id === row.id);
  const status = accessStatus(access, row.files_enabled === 1);
  const types = [...new Set(files.flatMap((file) => extensionOf(file.key) ?? []))];
  const json = {
    id: row.id,
    created: row.created,
    updated: row.updated,
    is_published: kind === "record",
    deletion_status: "P",
    ...(kind === "record" ? { has_draft: hasDraft, ...usageOf(row, family.usage) } : {}),
    parent: { id: family.parent.id, access: { owned_by: { user: family.parent.owner_id } } },
    versions: { index: row.version_index, is_latest: isLatest, is_latest_draft: isLatestDraft },
    access: { ...access, status },
    metadata,
    custom_fields: JSON.parse(row.custom_fields),
    pids: JSON.parse(row.pids),
    files: { ...filesOf(files), enabled: row.files_enabled === 1, default_preview: row.default_preview, types },
  };
  const isPublic = kind === "record" && access.record === "public";
  const hasPublicFiles = isPublic && access.files === "public";
  const facets = facetsOf(metadata, status, types);
  const usage = countsOf(family.usage ?? [], row.parent_id);
  return { kind, row, json, facets, isLatest, isLatestDraft, hasDraft, isPublic, hasPublicFiles, usage };
}

/** `stats` of a record without zeros: most counts are zero, and they would fill the index. */
export function usageOf(row: { id: string; parent_id: string }, usage: UsageRow[] = []): { stats?: object } {
  if (usage.length === 0) return {};
  const counted = (counts: UsageCounts) => Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
  const { this_version, all_versions } = presentUsage(usage, row);
  return { stats: { this_version: counted(this_version), all_versions: counted(all_versions) } };
}

type Metadata = Record<string, unknown> & { resource_type?: { id?: string; props?: Record<string, string> } };

function withTypeProps(metadata: Metadata): Metadata {
  const id = metadata.resource_type?.id;
  if (id === undefined) return metadata;
  const props = findShippedEntry("resourcetypes", id)?.props ?? metadata.resource_type?.props;
  const [type = id] = id.split("-");
  const known = { type: props?.type ?? type, ...subtypeOf(id, type, props?.subtype) };
  return { ...metadata, resource_type: { ...metadata.resource_type, props: known } };
}

function subtypeOf(id: string, type: string, subtype: string | undefined): { subtype?: string } {
  if (subtype !== undefined && subtype !== "") return { subtype };
  return id === type ? {} : { subtype: id };
}

function extensionOf(key: string): string | undefined {
  const name = key.slice(key.lastIndexOf("/") + 1);
  const at = name.lastIndexOf(".");
  return at < 1 || at === name.length - 1 ? undefined : name.slice(at + 1).toLowerCase();
}

function filesOf(files: FileEntryRow[]): Record<string, unknown> {
  const bytes = files.reduce((sum, file) => sum + (file.size ?? 0), 0);
  return {
    count: files.length,
    total_bytes: bytes,
    totalbytes: bytes,
    mimetypes: [...new Set(files.flatMap((file) => file.mimetype ?? []))],
    entries: files.map((file) => ({
      key: file.key,
      checksum: file.md5 === null ? null : `md5:${file.md5}`,
      mimetype: file.mimetype,
      size: file.size,
      ext: extensionOf(file.key),
    })),
  };
}

const stringsAt = (items: unknown, key: string): string[] =>
  (Array.isArray(items) ? items : []).flatMap((item: Record<string, unknown> | null) => {
    const value = item?.[key];
    return typeof value === "string" ? [value] : [];
  });

function facetsOf(metadata: Metadata, status: string, types: string[]): DocumentFacets {
  const date = metadata.publication_date;
  const days = typeof date === "string" ? edtfDays(date) : undefined;
  const finite = (day: number): number | null => (Number.isFinite(day) ? day : null);
  return {
    access_status: status,
    resource_type: metadata.resource_type?.props?.type ?? null,
    subtype: metadata.resource_type?.props?.subtype ?? null,
    language: [...new Set(stringsAt(metadata.languages, "id"))],
    subject: [...new Set(stringsAt(metadata.subjects, "subject"))],
    file_type: types,
    days: days ? [finite(days.first), finite(days.last)] : null,
  };
}
