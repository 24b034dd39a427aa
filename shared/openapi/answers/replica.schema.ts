import { z } from "zod";
import { commentDraft, keptCommentDraft } from "../../comments/comment-draft.schema.ts";
import { anyValue, isoTime, listOf } from "./common.schema.ts";
import { named } from "./named.schema.ts";
import { draft } from "./record.schema.ts";

/** Of a comment also the request that it stands in. */
const object = z.object({ kind: z.string(), id: z.string(), request: z.string().optional() });

/** How the sync of a replica stands (hosts-and-sync 5, 8). */
export const syncStatus = named(
  "SyncStatus",
  "The sync status of a replica; `up_to_date` only when all changes of the user are on the server.",
  z.object({
    state: z.enum(["local", "paused", "sign_in", "offline", "syncing", "needs_you", "up_to_date"]),
    server: z.string().nullable(),
    user: z.object({ id: z.string(), username: z.string() }).nullable(),
    online: z.boolean(),
    paused: z.boolean(),
    pending: z.int().min(0),
    sending: z.int().min(0),
    rejected: z.int().min(0),
    conflicts: z.int().min(0),
    transfers: z.array(
      z.object({
        key: z.string(),
        record: z.string(),
        direction: z.enum(["up", "down"]),
        bytes: z.int(),
        size: z.int(),
      }),
    ),
    last_success: isoTime.nullable(),
    last_error: z.string().nullable(),
    awaits_copy: z.literal(true).optional(),
    asks: z.enum(["removal", "update", "space"]).optional(),
    notice: z.string().optional(),
    upstream: z
      .object({
        kind: z.enum(["invenio", "zenodo"]),
        name: z.string(),
        url: z.string(),
        offers: z.array(z.string()),
        checked: isoTime,
        is_practice: z.boolean(),
        slowed_until: isoTime.nullable(),
        not_taken: z.array(z.object({ id: z.string(), title: z.string(), count: z.int().min(1) })),
        unsure: z.array(z.object({ id: z.string(), title: z.string() })),
      })
      .optional(),
  }),
);

export const operation = named(
  "Operation",
  "A change of the user that the server does not have yet.",
  z.object({
    id: z.string(),
    kind: z.string(),
    object,
    title: z.string(),
    created: isoTime,
    attempts: z.int().min(0),
    next_attempt: isoTime.nullable(),
    state: z.enum(["pending", "sending"]),
    bytes: z.int().min(0),
    reason: z.string().nullable(),
  }),
);
export const operationList = named("OperationList", "Unsent operations in their order.", listOf(operation));

export const trayEntry = named(
  "TrayEntry",
  "A rejected operation, and the server's present state.",
  z.object({
    id: z.string(),
    kind: z.string(),
    object: object.extend({ title: z.string() }),
    created: isoTime,
    refused: isoTime,
    reason: z.string(),
    can_retry: z.literal(false).optional(),
    operation: z.record(z.string(), z.unknown()),
    server: anyValue,
  }),
);
export const tray = named("Tray", "All refused work.", listOf(trayEntry));

export const conflict = named(
  "Conflict",
  "Two values for the same path of a draft: `mine` lost, `theirs` is in the draft.",
  z.object({
    id: z.string(),
    record: z.string(),
    path: z.string(),
    mine: anyValue,
    theirs: anyValue,
    theirs_by: z.string().nullable(),
    created: isoTime,
  }),
);
export const conflictList = named("ConflictList", "Conflicts of the caller, newest first.", listOf(conflict));

export const copied = z.union([draft, z.looseObject({ kind: z.literal("comment") })]);
export const unsentComment = named("CommentDraft", "The unsent text of an editor in a conversation.", commentDraft);
export const keptComment = named(
  "CommentDraftToKeep",
  "The text, and the last text that the window read: later changes by another window are merged.",
  keptCommentDraft,
);

const bytes = z.int().min(0);
export const openedLibrary = named(
  "OpenedLibrary",
  "The library that is opened at the same address.",
  z.object({ location: z.string().describe("Path of its folder") }),
);

export const storage = named(
  "Storage",
  "Bytes on this computer by kind; `cached`: copies of files that the server has; `reserved`: set aside for a full disk, not in `total`. `location`: their folder.",
  z.object({ records: bytes, unsent: bytes, cached: bytes, total: bytes, reserved: bytes, location: z.string() }),
);

export const ticket = named(
  "Ticket",
  "Opens the socket of a live document once, within a minute.",
  z.object({ ticket: z.string(), expires_at: isoTime }),
);
