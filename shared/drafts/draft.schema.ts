import { z } from "zod";
import { command } from "../kernel/command.ts";
import { idText } from "../kernel/id-text.schema.ts";

/** A record id of any kind of server. What a Carrel server creates has the form of `isRecordId`. */
const recordId = z.string().regex(/^[a-z0-9-]{1,40}$/, "This is no record id.");
/** Any JSON. Payloads were parsed as JSON before; checking each value again would take a second for a large draft. */
const anyJson = z.custom<z.core.util.JSONType>((value) => value !== undefined);
const json = z.record(z.string(), anyJson);

/** The content of a draft, as in a PUT and in its document (records 3.2). */
const draftInput = z.object({
  metadata: json,
  custom_fields: json,
  access: z.object({
    record: z.string(),
    files: z.string(),
    embargo: z.object({ active: z.boolean(), reason: z.string().nullable(), until: z.string().optional() }),
  }),
  pids: json,
  files: z.object({
    enabled: z.boolean(),
    default_preview: z.string().nullable(),
    order: z.array(z.string()),
  }),
});

/** Creates a draft and its family (records 3.1). */
export const createDraft = command({
  name: "draft.create",
  version: 1,
  delivery: "queue",
  senders: { route: "anybody", push: "person" },
  input: z.object({ id: recordId, parentId: recordId, input: draftInput }),
});
export type CreateDraft = z.infer<typeof createDraft.input>;

const change = z.object({
  path: z.array(z.string()),
  before: anyJson.optional(),
  after: anyJson.optional(),
  item: anyJson.optional(),
});

const path = z.array(z.string());
const order = z.object({
  path,
  keys: z.array(z.string()),
  items: z.array(z.object({ path, name: z.string() })).optional(),
});

/**
 * Applies an update to the document of a draft. `changes` are the author's intended changes, from which conflicts are
 * found. `orders` are the list orders they chose. `known` are the conflicts they saw; the edit resolves only these. A
 * negative `epoch` belongs to no document: the update is ignored, and `changes` use the item names of that time.
 */
export const editDraft = command({
  name: "draft.edit",
  version: 1,
  delivery: "queue",
  senders: { route: "anybody", push: "person" },
  input: z.object({
    id: idText,
    epoch: z.int(),
    update: z.base64(),
    changes: z.array(change),
    orders: z.array(order).optional(),
    known: z.array(z.string()).optional(),
  }),
});
export type EditDraft = z.infer<typeof editDraft.input>;

const draftId = z.object({ id: idText });
export type DraftId = z.infer<typeof draftId>;

const seenDraft = z.object({
  id: idText,
  expected: z.string().max(100).optional(),
  /** The revision of the record whose edit this is. It rises when the edit is published elsewhere. */
  published: z.int().optional(),
});
export type DiscardDraft = z.infer<typeof seenDraft>;

/**
 * Deletes a draft with everything that belongs only to it (records 3.6); with `expected`, only if its content is what
 * the user saw (hosts-and-sync 4). Older replicas send none.
 */
export const discardDraft = command({
  name: "draft.discard",
  version: 1,
  delivery: "queue",
  senders: { route: "anybody", push: "person" },
  input: seenDraft,
  endsDraft: ({ id }: DiscardDraft) => id,
});

/** Starts the edit draft of a published record (records 3.1). */
export const editPublished = command({
  name: "draft.edit-published",
  version: 1,
  delivery: "queue",
  senders: { route: "anybody", push: "person" },
  input: draftId,
});

/** Starts the draft of the next version: `id` is the new draft's, `recordId` any published version's (records 4.2). */
export const newVersion = command({
  name: "draft.new-version",
  version: 1,
  delivery: "queue",
  senders: { route: "anybody", push: "person" },
  input: z.object({ id: recordId, recordId: idText }),
});
export type NewVersion = z.infer<typeof newVersion.input>;

/** Publishes a draft; with `expected`, only if its content is what the user saw (hosts-and-sync 4). */
export const publishDraft = command({
  name: "draft.publish",
  version: 1,
  delivery: "ask",
  senders: { route: "anybody", push: "person" },
  input: seenDraft,
});
export type PublishDraft = z.infer<typeof publishDraft.input>;

/** Discards a lost value. Choosing the lost value is an edit instead (hosts-and-sync 5). */
export const resolveConflict = command({
  name: "draft.settle-conflict",
  version: 1,
  delivery: "queue",
  senders: { route: "person", push: "person" },
  input: z.object({ id: idText, draftId: idText }),
});
export type ResolveConflict = z.infer<typeof resolveConflict.input>;

/** The value that the user chooses. */
export const conflictChoice = z.object({ choose: z.enum(["mine", "theirs"]) });
