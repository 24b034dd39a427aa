import { z } from "zod";
import { isMisleading } from "../kernel/characters.ts";
import { command } from "../kernel/command.ts";
import { idText, newId } from "../kernel/id-text.schema.ts";
import { commentAbout } from "./about.schema.ts";

/** Longest comment, in characters after cleaning (requests 7). */
export const longestContent = 65_536;

/** Largest attachment, in bytes (requests 9). */
export const largestAttachment = 10_000_000;

/** The limit of 1000 files is higher than the byte limit of a request permits (requests 9). */
const files = z.array(z.object({ file_id: idText })).max(1000);

export const payloadSchema = z.strictObject({
  content: z.string(),
  format: z.literal("html").optional(),
  files: files.optional(),
});

/** Other top-level keys are ignored. */
export const commentBody = z.object({ payload: payloadSchema, about: commentAbout.optional() });

/** The body of an action; its comment is optional. */
export const actionBody = z.object({ payload: payloadSchema.optional() });

/** The body of a comment that was deleted before it was sent. */
export const deletedBody = z.object({ payload: z.object({ files }).optional() });

const requestId = idText;
const revision = z.number().int().optional();
const body = z.unknown().optional();
/** The digest of the text that the user saw. Older replicas send none. */
const expected = z.string().max(100).optional();

export const createComment = command({
  name: "comment.create",
  version: 1,
  delivery: "queue",
  senders: { route: "anybody", push: "person" },
  /**
   * `parentId`: the comment that this one replies to. `deleted`: the author deleted the comment before it was sent. Then
   * the body has only the files, and nobody is notified.
   */
  input: z.object({ id: newId, requestId, parentId: idText.nullable(), deleted: z.literal(true).optional(), body }),
});
export type CreateComment = z.infer<typeof createComment.input>;

/** A comment that its author deleted before it was sent: without text, which never leaves this computer. */
export const withoutText = ({ body, ...comment }: CreateComment): CreateComment => {
  const files = commentBody.safeParse(body).data?.payload.files;
  return { ...comment, deleted: true, body: files ? { payload: { files } } : {} };
};

export const updateComment = command({
  name: "comment.update",
  version: 1,
  delivery: "queue",
  senders: { route: "anybody", push: "person" },
  input: z.object({ id: idText, requestId, revision, expected, body }),
});
export type UpdateComment = z.infer<typeof updateComment.input>;

export const deleteComment = command({
  name: "comment.delete",
  version: 1,
  delivery: "queue",
  senders: { route: "anybody", push: "person" },
  input: z.object({ id: idText, requestId, revision, expected }),
});
export type DeleteComment = z.infer<typeof deleteComment.input>;

/** Marks a comment on a field or file as settled, or opens it again. */
export const resolveComment = command({
  name: "comment.resolve",
  version: 1,
  delivery: "queue",
  senders: { route: "anybody", push: "person" },
  input: z.object({ id: idText, requestId, isResolved: z.boolean() }),
});
export type ResolveComment = z.infer<typeof resolveComment.input>;

const attachmentName = z.string().refine((name) => !isMisleading(name), { message: "Not a valid file name." });

/** Links uploaded bytes to a conversation, before a comment refers to them (requests 9). */
export const attachFile = command({
  name: "attachment.create",
  version: 1,
  delivery: "queue",
  senders: { route: "anybody", push: "person" },
  input: z.object({
    id: newId,
    requestId,
    name: attachmentName,
    key: attachmentName,
    sha256: z.string(),
    md5: z.string(),
    size: z.number().int().nonnegative(),
    /** The user removed the file before it was sent: its bytes never leave this computer. */
    deleted: z.literal(true).optional(),
  }),
});
export type AttachFile = z.infer<typeof attachFile.input>;

export const deleteAttachment = command({
  name: "attachment.delete",
  version: 1,
  delivery: "queue",
  senders: { route: "anybody", push: "person" },
  input: z.object({ requestId, key: z.string() }),
});
