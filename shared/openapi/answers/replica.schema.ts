import { z } from "zod";
import { commentDraft, keptCommentDraft } from "../../comments/comment-draft.schema.ts";
import { isoTime, listOf } from "./common.schema.ts";
import { named } from "./named.schema.ts";
import { draft } from "./record.schema.ts";

/** Of a comment also the request that it stands in. */
const object = z.object({ kind: z.string(), id: z.string(), request: z.string().optional() });

/** How the sync of a replica stands (hosts-and-sync 5, 8). */
export const syncStatus = named(
  "SyncStatus",
  "How this copy stands to its server; `up_to_date` only when everything the person did is on the server.",
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
    asks: z.enum(["removal", "update"]).optional(),
    notice: z.string().optional(),
  }),
);

export const operation = named(
  "Operation",
  "Something the person did that the server does not have yet.",
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
  "Work that the server refused, and what the server has now.",
  z.object({
    id: z.string(),
    kind: z.string(),
    object: object.extend({ title: z.string() }),
    created: isoTime,
    refused: isoTime,
    reason: z.string(),
    operation: z.record(z.string(), z.unknown()),
    server: z.unknown(),
  }),
);
export const tray = named("Tray", "All refused work.", listOf(trayEntry));

export const conflict = named(
  "Conflict",
  "Two values for one place of a draft: `mine` lost, `theirs` stands.",
  z.object({
    id: z.string(),
    record: z.string(),
    path: z.string(),
    mine: z.unknown(),
    theirs: z.unknown(),
    theirs_by: z.string().nullable(),
    created: isoTime,
  }),
);
export const conflictList = named("ConflictList", "Conflicts of the caller, newest first.", listOf(conflict));

export const copied = z.union([draft, z.looseObject({ kind: z.literal("comment") })]);
export const unsentComment = named(
  "CommentDraft",
  "What stands in an editor of a conversation and was not sent yet.",
  commentDraft,
);
export const keptComment = named(
  "CommentDraftToKeep",
  "The same, with what the window last knew to be kept: what another window kept since is merged in.",
  keptCommentDraft,
);

const bytes = z.int().min(0);
export const storage = named(
  "Storage",
  "Bytes on this computer by kind; `cached` ones the server holds too. `location` is the folder they are in.",
  z.object({ records: bytes, unsent: bytes, cached: bytes, total: bytes, location: z.string() }),
);

export const ticket = named(
  "Ticket",
  "Opens the socket of a live document once, within a minute.",
  z.object({ ticket: z.string(), expires_at: isoTime }),
);
