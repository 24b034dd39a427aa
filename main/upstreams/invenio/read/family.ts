import { createHash } from "node:crypto";
import type { Bundle, BundleRow } from "../../../../shared/bundles/bundle.schema.ts";
import type { DraftInput } from "../../../../shared/documents/draft-input.ts";
import type { ContentColumns } from "../../../../shared/drafts/draft-content.service.ts";
import { derivedUuid } from "../../../../shared/files/derived-uuid.ts";
import { parseTime } from "../../../../shared/kernel/timestamps.ts";
import type { Shadow } from "../shadow.repository.ts";
import type { NamedFault } from "./faults.schema.ts";
import { inputForm } from "./input-form.ts";
import type { TheirFile, TheirRecord } from "./their-record.ts";

/** The document of a draft, as the adapter keeps it. */
export interface ShadowDocument {
  epoch: number;
  state: Uint8Array;
}

/** Names of files here: ids of entries by name, digests by MD5. */
export interface KnownFiles {
  entryIds: ReadonlyMap<string, string>;
  digests: ReadonlyMap<string, string>;
}

/** One draft or record with everything that its rows need. */
export interface Content {
  theirs: TheirRecord;
  /** Undefined: those of the shadow. */
  files: readonly TheirFile[] | undefined;
  known?: KnownFiles;
  /** The document of a draft. */
  document?: ShadowDocument;
  /** When a draft was read, in microseconds UTC. */
  looked?: number;
  /** The columns of a draft, as our validation derives them from the document. */
  columns?: ContentColumns;
  /** Values of a draft that the server did not store. */
  faults?: readonly NamedFault[];
  /** Whether a record is published under the id of the draft. */
  isEdit?: boolean;
  /** Conflicts of a draft that were found with this content. */
  conflicts?: readonly BundleRow[];
  /** Whether a former conflict is settled by it. */
  isSettled?: ((conflict: BundleRow) => boolean) | undefined;
}

export const md5Of = (checksum: string | null | undefined): string | undefined =>
  checksum?.startsWith("md5:") ? checksum.slice(4) : undefined;

/** What the rows of files need of their draft or record. */
export type FileOwner = Pick<TheirRecord, "id" | "parent" | "created" | "updated">;

/** Stands for bytes that were never read here: their server names them by MD5 alone. */
export const standInDigest = (library: string, md5: string, size: number): string =>
  createHash("sha256").update(`remote\n${library}\n${md5}\n${size}`).digest("hex");

const micros = (text: string): number => parseTime(text) ?? 0;

/** The files of a draft or record. The edit of a record has those of the record. */
export function fileRows(
  library: string,
  { theirs, files = [], known, isEdit }: Pick<Content, "files" | "known" | "isEdit"> & { theirs: FileOwner },
  owner: "draft" | "record",
): BundleRow[] {
  if (isEdit && owner === "draft") return [];
  return files.map((file, position) => {
    const md5 = md5Of(file.checksum);
    const size = file.size ?? 0;
    const isDone = file.status === "completed" && md5 !== undefined;
    // If the bytes of a name change in a draft, its entry gets a new id. A removal that waits then ends without effect.
    const id =
      owner === "record"
        ? derivedUuid("entry", owner, theirs.id, file.key)
        : (known?.entryIds.get(file.key) ?? derivedUuid("entry", owner, theirs.id, file.key, isDone ? md5 : "pending"));
    return {
      id,
      owner_kind: owner,
      owner_id: theirs.id,
      parent_id: theirs.parent.id,
      key: file.key,
      status: isDone ? "completed" : "pending",
      sha256: isDone ? (known?.digests.get(md5) ?? standInDigest(library, md5, size)) : null,
      md5: isDone ? md5 : null,
      size: isDone ? size : null,
      mimetype: isDone ? (file.mimetype ?? "application/octet-stream") : null,
      metadata: file.metadata ? JSON.stringify(file.metadata) : null,
      hidden: file.access?.hidden ? 1 : 0,
      announced: null,
      file_id: isDone ? derivedUuid("file", theirs.id, file.key, md5) : null,
      version_id: isDone ? derivedUuid("version", theirs.id, file.key, md5) : null,
      bucket_id: derivedUuid("bucket", owner, theirs.id),
      created: micros(theirs.created),
      updated: micros(theirs.updated),
      position,
    };
  });
}

const commonColumns = (theirs: TheirRecord) => ({
  id: theirs.id,
  parent_id: theirs.parent.id,
  version_index: theirs.versions.index,
  created: micros(theirs.created),
  updated: micros(theirs.updated),
  revision_id: Math.max(1, theirs.revision_id),
});

/** The columns of a published record: their output form as it is, and its input form. */
function recordColumns(theirs: TheirRecord, input: DraftInput): ContentColumns {
  return {
    metadata: JSON.stringify(input.metadata),
    expanded: JSON.stringify(theirs.metadata),
    custom_fields: JSON.stringify(theirs.custom_fields),
    access: JSON.stringify(input.access),
    pids: JSON.stringify(theirs.pids),
    files_enabled: input.files.enabled ? 1 : 0,
    default_preview: input.files.default_preview,
    file_order: JSON.stringify(input.files.order),
  };
}

/** The DOI of a record, or of a draft that is not published yet. */
function pidRows({ theirs, isEdit }: Content, part: "draft" | "record"): BundleRow[] {
  if (part === "draft" && isEdit) return [];
  const state = part === "draft" ? "reserved" : "registered";
  const doi = theirs.pids.doi as { identifier?: unknown; provider?: unknown } | undefined;
  if (typeof doi?.identifier !== "string" || doi.identifier === "") return [];
  const provider = typeof doi.provider === "string" ? doi.provider : "external";
  const of = { parent_id: theirs.parent.id, record_id: theirs.id };
  return [{ scheme: "doi", identifier: doi.identifier, ...of, provider, state }];
}

function recordRow(content: Content): BundleRow {
  const { theirs } = content;
  const columns = recordColumns(theirs, inputForm(theirs));
  return { ...commonColumns(theirs), ...columns, is_latest: theirs.versions.is_latest ? 1 : 0, tombstone: null };
}

function draftRow({ theirs, columns, isEdit }: Content, input: DraftInput): BundleRow {
  return {
    ...commonColumns(theirs),
    ...(columns ?? recordColumns(theirs, input)),
    pids: JSON.stringify(theirs.pids),
    is_edit: isEdit ? 1 : 0,
    expires_at: micros(theirs.expires_at ?? theirs.updated) || micros(theirs.updated),
    request_id: theirs.parent.review?.id ?? null,
  };
}

const withoutContent = (rows: readonly BundleRow[] | undefined, column: string, id: string): BundleRow[] =>
  (rows ?? []).filter((row) => row[column] !== id);

const emptyFamily = (id: string): Bundle => ({
  kind: "family",
  id,
  rows: { parent: [], record: [], draft: [], draft_review: [], document: [], pid: [], alias: [], file_entry: [] },
  people: [],
});

/** The files of a draft or record in the shadow. */
export const filesOf = (shadow: Shadow | undefined, part: "draft" | "record", id: string): BundleRow[] =>
  (shadow?.bundle.rows.file_entry ?? []).filter((row) => row.owner_kind === part && row.owner_id === id);

/** The row of a draft or record of a family. */
export const rowOf = ({ bundle }: Shadow, part: "draft" | "record", id: string): BundleRow | undefined =>
  bundle.rows[part]?.find((row) => row.id === id);

/** A family without some of its conflicts. */
export const withoutConflicts = (shadow: Shadow, isDropped: (row: BundleRow) => boolean): Shadow => {
  const { rows } = shadow.bundle;
  const conflict = (rows.conflict ?? []).filter((row) => !isDropped(row));
  return { ...shadow, bundle: { ...shadow.bundle, rows: { ...rows, conflict } } };
};

/** Takes a draft or a record out of a family. */
export function withoutPart(shadow: Shadow, part: "draft" | "record", id: string): Shadow {
  const { rows } = shadow.bundle;
  const { [`${part}:${id}`]: _, ...others } = shadow.revisions;
  const { [`looked:${id}`]: __, ...revisions } = others;
  const { [id]: ___, ...otherFaults } = shadow.faults;
  const isOwn = (row: BundleRow) => row.owner_kind === part && row.owner_id === id;
  return {
    revisions: part === "draft" ? revisions : others,
    faults: part === "draft" ? otherFaults : shadow.faults,
    bundle: {
      ...shadow.bundle,
      rows: {
        ...rows,
        [part]: withoutContent(rows[part], "id", id),
        ...(part === "draft" ? { document: withoutContent(rows.document, "draft_id", id) } : {}),
        pid: (rows.pid ?? []).filter((row) => row.record_id !== id || (part === "draft" && row.state !== "reserved")),
        file_entry: (rows.file_entry ?? []).filter((row) => !isOwn(row)),
      },
    },
  };
}

/** Whether nothing is left of a family. */
export const isEmpty = ({ bundle: { rows } }: Shadow): boolean =>
  (rows.draft ?? []).length + (rows.record ?? []).length === 0;

export interface Owner {
  /** Identifies site and user. */
  library: string;
  /** Id of the user, who manages their own families. */
  user: string;
  /** Owner of a family whose owner the server does not name. */
  stranger: string;
  /** The position of the newest operation here. */
  newest: number;
}

/** A family with the new state of one draft or record. Its other parts stay. */
export function withPart(
  shadow: Shadow | undefined,
  content: Content,
  { library, user, stranger, newest }: Owner,
): Shadow {
  const { theirs, document, faults, looked } = content;
  const part = document ? "draft" : "record";
  const { id: family } = theirs.parent;
  const first: Shadow = { bundle: emptyFamily(family), revisions: { [`heard:${family}`]: newest }, faults: {} };
  const before = withoutPart(shadow ?? first, part, theirs.id);
  const { rows } = before.bundle;
  const owner = theirs.parent.access?.owned_by?.user ?? stranger;
  const known = rows.parent?.[0];
  const parent: BundleRow = {
    id: theirs.parent.id,
    owner_id: owner,
    settings: "{}",
    created: Math.min(Number(known?.created ?? Number.MAX_SAFE_INTEGER), micros(theirs.created)),
    viewer_level: owner === user ? "manage" : theirs.is_draft || known?.viewer_level === "edit" ? "edit" : "view",
  };
  const isNewest = part === "record" && theirs.versions.is_latest;
  const others = (rows.record ?? []).map((row) => (isNewest ? { ...row, is_latest: 0 } : row));
  // A draft beside its record is an edit, also until it is read itself.
  const drafts = (rows.draft ?? []).map((row) => (row.id === theirs.id ? { ...row, is_edit: 1 } : row));
  const input = inputForm(theirs);
  const kept = filesOf(shadow, part, theirs.id);
  return {
    revisions: {
      ...before.revisions,
      [`${part}:${theirs.id}`]: theirs.revision_id,
      ...(looked === undefined ? {} : { [`looked:${theirs.id}`]: looked }),
    },
    faults: faults && faults.length > 0 ? { ...before.faults, [theirs.id]: [...faults] } : before.faults,
    bundle: {
      ...before.bundle,
      rows: {
        ...rows,
        parent: [parent],
        record: part === "record" ? [...others, recordRow(content)] : others,
        draft: part === "draft" ? [...(rows.draft ?? []), draftRow(content, input)] : drafts,
        document: document
          ? [
              ...(rows.document ?? []),
              {
                draft_id: theirs.id,
                parent_id: theirs.parent.id,
                epoch: document.epoch,
                state: { $bytes: Buffer.from(document.state).toString("base64") },
              },
            ]
          : (rows.document ?? []),
        conflict: [...(rows.conflict ?? []).filter((row) => !content.isSettled?.(row)), ...(content.conflicts ?? [])],
        pid: [...(rows.pid ?? []), ...pidRows(content, part)],
        file_entry: [...(rows.file_entry ?? []), ...(content.files ? fileRows(library, content, part) : kept)],
      },
    },
  };
}

/**
 * Whether a draft is the one in the shadow, unchanged. The revision alone does not tell: once a deleted draft has been
 * removed for good, the next edit of the record counts from the beginning.
 */
export const isSameRevision = (shadow: Shadow | undefined, { id, revision_id, updated }: TheirRecord): boolean =>
  shadow?.revisions[`draft:${id}`] === revision_id &&
  shadow.bundle.rows.draft?.some((row) => row.id === id && row.updated === micros(updated)) === true;

/** The content of a stored draft or record. */
export const contentOfRow = (row: BundleRow) => ({
  metadata: JSON.parse(String(row.metadata)),
  custom_fields: JSON.parse(String(row.custom_fields)),
  access: JSON.parse(String(row.access)),
  pids: JSON.parse(String(row.pids)),
  files: {
    enabled: row.files_enabled === 1,
    default_preview: row.default_preview as string | null,
    order: JSON.parse(String(row.file_order)),
  },
});

/** The document of a draft of a family. */
export function documentIn({ bundle }: Shadow, draftId: string): ShadowDocument | undefined {
  const row = bundle.rows.document?.find((one) => one.draft_id === draftId);
  const state = row?.state;
  if (!row || typeof state !== "object" || state === null) return undefined;
  return { epoch: Number(row.epoch), state: Buffer.from(state.$bytes, "base64") };
}
