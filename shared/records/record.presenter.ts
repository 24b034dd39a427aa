import { accessStatus } from "../access/embargo.lifecycle.ts";
import type { StoredAccess } from "../access/stored-access.schema.ts";
import type {
  AccessGrantRow,
  DraftReviewRow,
  DraftRow,
  FileEntryRow,
  ParentRow,
  PidRow,
  RecordRow,
  UsageRow,
} from "../database/schema.ts";
import { draftStatus } from "../drafts/draft.lifecycle.ts";
import { isValidIdentifier } from "../identifiers/scheme.schema.ts";
import { coverOf, isPicture } from "../iiif/thumbnails.presenter.ts";
import type { SyncMark } from "../kernel/sync-mark.ts";
import { isoTime, spacedTime } from "../kernel/timestamps.ts";
import { presentUsage } from "../usage/usage.presenter.ts";
import { filesSummary, inOrder, noMediaFiles } from "./files-summary.presenter.ts";
import { type RecordLinks, recordLinks } from "./record-links.presenter.ts";

type Review = Pick<DraftReviewRow, "request_id" | "receiver_id" | "status"> & { title?: string };

/** What a body needs besides the row: facts about the family and the caller. */
export interface RecordFacts {
  baseUrl: string;
  parent: ParentRow;
  /** Access settings at the time of reading: an embargo may have ended since they were stored. */
  access: StoredAccess;
  isLatestDraft: boolean;
  /** For a draft: whether it is the edit draft of the latest version, and whether the family has published versions. */
  isLatest: boolean;
  isFirst: boolean;
  /** Entries of the record or draft; undefined for a caller who may not read the files. */
  entries?: FileEntryRow[];
  /** Only for callers with the level `manage`. */
  secrets?: { linkIds: string[]; grants: AccessGrantRow[] };
  /** The review that is linked to a draft. */
  review?: Review;
  /** Views and downloads of a published record. */
  usage?: UsageRow[];
  sync?: SyncMark;
  /** The DOI of all versions, if the family has one. */
  parentDoi?: Pick<PidRow, "identifier" | "provider">;
  /** Whether times are in ISO 8601, as in answers of the DOI endpoint (records 1.6). */
  hasIsoTimes?: boolean;
}

export type RecordBody = Record<string, unknown>;

/**
 * A grant in bodies and lists (records 7.3).
 * @param position its place in the list of the family, which is its id in addresses (interoperability 23).
 */
export const presentGrant = (grant: AccessGrantRow, position: number): Record<string, unknown> => ({
  id: position,
  permission: grant.permission,
  subject: { type: grant.subject_type, id: grant.subject_id },
  origin: grant.origin,
  ...(grant.message === null ? {} : { message: grant.message }),
});

const defaultSettings = {
  allow_user_requests: false,
  allow_guest_requests: false,
  accept_conditions_text: null,
  secret_link_expiration: 0,
};

/** The access settings of a family, with defaults. */
const presentSettings = (parent: ParentRow): Record<string, unknown> => ({
  ...defaultSettings,
  ...JSON.parse(parent.settings),
});

/** The review of a draft as part of it (interoperability 44). */
function presentReview({ request_id: id, receiver_id, status, title }: Review, baseUrl: string) {
  return {
    ...{ id, type: "default-request", receiver: { user: receiver_id }, status },
    ...(title === undefined ? {} : { title }),
    links: { self: `${baseUrl}/api/requests/${id}`, self_html: `${baseUrl}/me/requests/${id}` },
  };
}

const presentPid = ({ identifier, provider }: Pick<PidRow, "identifier" | "provider">) => ({
  doi: { identifier, provider, client: provider },
});

function presentParent({ baseUrl, parent, parentDoi, secrets, review }: RecordFacts): Record<string, unknown> {
  return {
    id: parent.id,
    access: {
      owned_by: { user: parent.owner_id },
      links: secrets?.linkIds.map((id) => ({ id })) ?? [],
      ...(secrets ? { grants: secrets.grants.map((grant, position) => presentGrant(grant, position)) } : {}),
      settings: presentSettings(parent),
    },
    communities: {},
    pids: parentDoi ? presentPid(parentDoi) : {},
    ...(review ? { review: presentReview(review, baseUrl) } : {}),
  };
}

function presentContent(row: RecordRow | DraftRow, facts: RecordFacts, isDraft: boolean): Record<string, unknown> {
  const { access } = facts;
  const isFilesEnabled = row.files_enabled === 1;
  const files = {
    enabled: isFilesEnabled,
    defaultPreview: row.default_preview,
    order: JSON.parse(row.file_order) as string[],
    ...(facts.entries ? { entries: facts.entries } : {}),
  };
  const { active, reason, until } = access.embargo;
  return {
    access: {
      record: access.record,
      files: access.files,
      embargo: { active, reason, ...(until === undefined ? {} : { until }) },
      status: accessStatus(access, isFilesEnabled),
    },
    files: filesSummary(files, { id: row.id, isDraft }),
    media_files: noMediaFiles,
    metadata: JSON.parse(row.expanded),
    custom_fields: JSON.parse(row.custom_fields),
    pids: JSON.parse(row.pids),
    parent: presentParent(facts),
    versions: { index: row.version_index, is_latest: facts.isLatest, is_latest_draft: facts.isLatestDraft },
  };
}

function linksOf(row: RecordRow | DraftRow, facts: RecordFacts, isDraft: boolean): RecordLinks {
  const doi: string | undefined = JSON.parse(row.pids).doi?.identifier;
  // An external DOI is stored as sent, even when it is malformed (records 5).
  const isDoi = doi !== undefined && isValidIdentifier("doi", doi);
  const { baseUrl, parent, parentDoi, review } = facts;
  const pictures = inOrder((facts.entries ?? []).filter(isPicture), JSON.parse(row.file_order));
  const cover = coverOf(pictures, row.default_preview);
  const common = { baseUrl, id: row.id, parentId: parent.id, isDraft, hasReview: review !== undefined, cover };
  const ofAll = parentDoi ? { parentDoi: parentDoi.identifier } : {};
  return recordLinks({ ...common, ...ofAll, ...(isDoi ? { doi } : {}) });
}

/** The body of a published record (records 3.5). */
export function presentRecord(row: RecordRow, facts: RecordFacts): RecordBody {
  return {
    id: row.id,
    created: spacedTime(row.created),
    updated: spacedTime(row.updated),
    revision_id: row.revision_id,
    is_published: true,
    is_draft: false,
    status: "published",
    ...presentContent(row, facts, false),
    stats: presentUsage(facts.usage ?? [], row),
    deletion_status: { is_deleted: row.tombstone !== null, status: row.tombstone === null ? "P" : "D" },
    ...(row.tombstone === null ? {} : { tombstone: JSON.parse(row.tombstone) }),
    links: linksOf(row, facts, false),
    ...(facts.sync ? { sync: facts.sync } : {}),
  };
}

/** The body of a draft (records 3.5). */
export function presentDraft(row: DraftRow, facts: RecordFacts): RecordBody {
  const time = facts.hasIsoTimes ? isoTime : spacedTime;
  return {
    id: row.id,
    created: time(row.created),
    updated: time(row.updated),
    expires_at: time(row.expires_at),
    revision_id: row.revision_id,
    is_published: false,
    is_draft: true,
    status: draftStatus(row, facts.isFirst, facts.review?.status),
    ...presentContent(row, facts, true),
    links: linksOf(row, facts, true),
    ...(facts.sync ? { sync: facts.sync } : {}),
  };
}
