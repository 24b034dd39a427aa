import { z } from "zod";
import { accessGrant } from "./access.schema.ts";
import {
  address,
  anyValue,
  day,
  fieldProblem,
  isoTime,
  listOf,
  marked,
  revision,
  spacedTime,
  tombstone,
  userReference,
} from "./common.schema.ts";
import { fileEntry } from "./file.schema.ts";
import { metadata } from "./metadata.schema.ts";
import { named } from "./named.schema.ts";

const access = named(
  "RecordAccess",
  "Who may see a record and its files.",
  z.object({
    record: z.enum(["public", "restricted"]),
    files: z.enum(["public", "restricted"]),
    embargo: z.object({ active: z.boolean(), reason: z.string().nullable(), until: day.optional() }),
    status: z.enum(["open", "embargoed", "restricted", "metadata-only"]),
  }),
);

const summaryEntry = named(
  "RecordFile",
  "A file in the body of a record or draft.",
  fileEntry.extend({ id: z.uuid().optional().describe("The `file_id`"), ext: z.string().describe("Extension") }),
);

const files = named(
  "RecordFiles",
  "The files by name; `enabled` alone for a caller who may not read them.",
  z.object({
    enabled: z.boolean(),
    default_preview: z.string().nullable().optional(),
    order: z.array(z.string()).optional(),
    count: z.int().min(0).optional(),
    total_bytes: z.int().min(0).optional(),
    entries: z.record(z.string(), summaryEntry).optional(),
  }),
);

const mediaFiles = z
  .object({
    enabled: z.literal(false),
    order: z.array(z.string()),
    count: z.int(),
    total_bytes: z.int(),
    entries: z.record(z.string(), z.unknown()),
  })
  .describe("Not offered: always empty");

const pids = z.record(
  z.string(),
  z.object({ identifier: z.string(), provider: z.string(), client: z.string().optional() }),
);

const parent = named(
  "Parent",
  "The part that all versions share. Links and grants only for callers with the level `manage`.",
  z.object({
    id: z.string(),
    access: z.object({
      owned_by: userReference,
      links: z.array(z.object({ id: z.uuid() })),
      grants: z.array(accessGrant).optional(),
      settings: z.object({
        allow_user_requests: z.boolean(),
        allow_guest_requests: z.boolean(),
        accept_conditions_text: z.string().nullable(),
        secret_link_expiration: z.int(),
      }),
    }),
    communities: z.object({}).describe("Not offered: always empty"),
    pids,
    review: z
      .object({
        ...{ id: z.string(), type: z.string(), receiver: userReference, status: z.string() },
        title: z.string().optional(),
        links: z.object({ self: address, self_html: address }),
      })
      .optional(),
  }),
);

const counts = named(
  "Counts",
  "How often a record was viewed and its files downloaded.",
  z.looseObject({
    views: z.number().optional(),
    unique_views: z.number().optional(),
    downloads: z.number().optional(),
    unique_downloads: z.number().optional(),
  }),
);

const common = {
  id: z.string().regex(/^[0-9a-z]{5}-[0-9a-z]{5}$/),
  revision_id: revision,
  access,
  files,
  media_files: mediaFiles,
  metadata,
  custom_fields: z.record(z.string(), z.unknown()),
  pids,
  parent,
  versions: z.object({ index: z.int().min(1), is_latest: z.boolean(), is_latest_draft: z.boolean() }),
  stats: z.object({ this_version: counts, all_versions: counts }).optional(),
  links: z
    .object({ thumbnails: z.record(z.string(), address).optional().describe("Of a record with pictures, by width") })
    .catchall(address),
  expanded: z.record(z.string(), z.unknown()).optional().describe("With `expand=1`"),
  ui: z.record(z.string(), z.unknown()).optional().describe("With `Accept: application/vnd.inveniordm.v1+json`"),
  ...marked,
};

/** Record body (records 3.5). */
export const record = named(
  "Record",
  "A published record.",
  z.object({
    ...common,
    created: spacedTime,
    updated: spacedTime,
    is_published: z.literal(true),
    is_draft: z.literal(false),
    status: z.literal("published"),
    deletion_status: z.object({ is_deleted: z.boolean(), status: z.enum(["P", "D"]) }),
    tombstone: tombstone.optional(),
  }),
);

const draftStatus = z.enum([
  "draft",
  "new_version_draft",
  "draft_with_review",
  "new_version_draft_with_review",
  "in_review",
  "declined",
  "expired",
  "published",
]);

const draftShape = z.object({
  ...common,
  created: spacedTime,
  updated: spacedTime,
  expires_at: spacedTime,
  is_published: z.literal(false),
  is_draft: z.literal(true),
  status: draftStatus,
  merged: z
    .array(z.string())
    .optional()
    .describe(
      "After a PUT with `Prefer: handling=merge`: fields that others had changed since the revision in `If-Match`",
    ),
});

/** Draft body (records 3.5). */
export const draft = named("Draft", "A draft: of a first version, a new version, or of changes.", draftShape);

/** Answer to saving (records 3.3). */
export const savedDraft = named(
  "SavedDraft",
  "A draft that was saved, with its problems; without `errors` everything is valid.",
  draftShape.extend({ errors: z.array(fieldProblem).min(1).optional() }),
);

/** The DOI endpoint writes times in ISO 8601 (records 1.6). */
export const draftWithDoi = named(
  "DraftWithDoi",
  "A draft whose times are ISO 8601.",
  draftShape.extend({ created: isoTime, updated: isoTime, expires_at: isoTime }),
);

/** The DOI that publishing a draft gives. */
export const publicationDoi = named(
  "PublicationDoi",
  "The DOI that the record has once the draft is published.",
  z.object({
    identifier: z.string().nullable(),
    source: z
      .enum(["own", "external", "on_publish", "on_request", "restricted"])
      .describe(
        "`own`: reserved or registered here; `external`: the depositor's; `on_publish`: minted by publishing; none, since nobody reserved one (`on_request`) or the record is `restricted`",
      ),
  }),
);

export const recordOrDraft = z.union([record, draft]);

const facets = ["publication_date", "access_status", "file_type", "resource_type", "language", "subject"];
export const recordList = named(
  "RecordList",
  "A page of published records.",
  listOf(record, { aggregations: facets, showsPage: true }),
);
export const ownRecordList = named(
  "OwnRecordList",
  "A page of the drafts and records that the caller can edit.",
  listOf(recordOrDraft, { aggregations: [...facets, "is_published"], showsPage: true }),
);
export const versionList = named("VersionList", "The versions of a record.", listOf(record, { showsPage: true }));
export const communityList = named("CommunityList", "Always empty.", listOf(anyValue));
