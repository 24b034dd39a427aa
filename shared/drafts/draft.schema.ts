import { z } from "zod";
import { isRecordId } from "../kernel/record-id.ts";

const recordId = z.string().refine(isRecordId, "This is no record id.");
const json = z.record(z.string(), z.json());

/** What a draft says, as a PUT could send it and its document holds it (records 3.2). */
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
export const createDraft = {
  name: "draft.create",
  version: 1,
  delivery: "queue" as const,
  input: z.object({ id: recordId, parentId: recordId, input: draftInput }),
};
export type CreateDraft = z.infer<typeof createDraft.input>;

const change = z.object({
  path: z.array(z.string()),
  before: z.json().optional(),
  after: z.json().optional(),
  item: z.json().optional(),
});

const path = z.array(z.string());
const order = z.object({
  path,
  keys: z.array(z.string()),
  items: z.array(z.object({ path, name: z.string() })).optional(),
});

/**
 * Applies an update to the document of a draft; `changes` say what its author meant, for finding collisions, `orders` the
 * order of lists that she chose, and `known` names the conflicts that were shown to her then: an edit settles no others.
 * Below zero `epoch` is that of no document: the update counts for nothing, and items are named as they were then.
 */
export const editDraft = {
  name: "draft.edit",
  version: 1,
  delivery: "queue" as const,
  input: z.object({
    id: z.string(),
    epoch: z.int(),
    update: z.base64(),
    changes: z.array(change),
    orders: z.array(order).optional(),
    known: z.array(z.string()).optional(),
  }),
};
export type EditDraft = z.infer<typeof editDraft.input>;

const draftId = z.object({ id: z.string() });
export type DraftId = z.infer<typeof draftId>;

/** Drops a draft, and all that only it has (records 3.6). */
export const discardDraft = {
  name: "draft.discard",
  version: 1,
  delivery: "queue" as const,
  input: draftId,
  endsDraft: ({ id }: DraftId) => id,
};

/** Starts the edit draft of a published record (records 3.1). */
export const editPublished = { name: "draft.edit-published", version: 1, delivery: "queue" as const, input: draftId };

/** Starts the draft of the next version: `id` is the new draft's, `recordId` any published version's (records 4.2). */
export const newVersion = {
  name: "draft.new-version",
  version: 1,
  delivery: "queue" as const,
  input: z.object({ id: recordId, recordId: z.string() }),
};
export type NewVersion = z.infer<typeof newVersion.input>;

/** Publishes a draft; with `expected` only if it still is what the person saw (hosts-and-sync 4). */
export const publishDraft = {
  name: "draft.publish",
  version: 1,
  delivery: "ask" as const,
  input: z.object({ id: z.string(), expected: z.string().optional() }),
};
export type PublishDraft = z.infer<typeof publishDraft.input>;

/** Gives a value up that lost against another; the other way round is an edit (hosts-and-sync 5). */
export const settleConflict = {
  name: "draft.settle-conflict",
  version: 1,
  delivery: "queue" as const,
  input: z.object({ id: z.string(), draftId: z.string() }),
};
export type SettleConflict = z.infer<typeof settleConflict.input>;

/** Which of two values is to stand. */
export const conflictChoice = z.object({ choose: z.enum(["mine", "theirs"]) });
