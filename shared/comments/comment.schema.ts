import { z } from "zod";
import { isMisleading } from "../kernel/characters.ts";
import { command } from "../kernel/command.ts";
import { idText, newId } from "../kernel/id-text.schema.ts";

/** Longest comment, in characters after cleaning (requests 7). */
export const longestContent = 65_536;

/** Largest attachment, in bytes (requests 9). */
export const largestAttachment = 10_000_000;

/** More than the bytes of one request allow (requests 9). */
const files = z.array(z.object({ file_id: idText })).max(1000);

export const payloadSchema = z.strictObject({
  content: z.string(),
  format: z.literal("html").optional(),
  files: files.optional(),
});

/** Other top-level keys are ignored. */
export const commentBody = z.object({ payload: payloadSchema });

/** An action's comment may be left out. */
export const actionBody = z.object({ payload: payloadSchema.optional() });

/** What is sent of a comment that was deleted before. */
export const deletedBody = z.object({ payload: z.object({ files }).optional() });

const requestId = idText;
const revision = z.number().int().optional();
const body = z.unknown().optional();

export const createComment = command({
  name: "comment.create",
  version: 1,
  delivery: "queue",
  doors: { route: "anybody", push: "person" },
  /**
   * `parentId`: the comment replied to. `deleted`: its author deleted it before it was sent; of the body only the files
   * are left, and nobody is told.
   */
  input: z.object({ id: newId, requestId, parentId: idText.nullable(), deleted: z.literal(true).optional(), body }),
});
export type CreateComment = z.infer<typeof createComment.input>;

/** A comment as it is sent once its author has deleted it: its place stays, its text never leaves this computer. */
export const withoutText = ({ body, ...comment }: CreateComment): CreateComment => {
  const files = commentBody.safeParse(body).data?.payload.files;
  return { ...comment, deleted: true, body: files ? { payload: { files } } : {} };
};

export const updateComment = command({
  name: "comment.update",
  version: 1,
  delivery: "queue",
  doors: { route: "anybody", push: "person" },
  input: z.object({ id: idText, requestId, revision, body }),
});
export type UpdateComment = z.infer<typeof updateComment.input>;

export const deleteComment = command({
  name: "comment.delete",
  version: 1,
  delivery: "queue",
  doors: { route: "anybody", push: "person" },
  input: z.object({ id: idText, requestId, revision }),
});
export type DeleteComment = z.infer<typeof deleteComment.input>;

const attachmentName = z.string().refine((name) => !isMisleading(name), { message: "Not a valid file name." });

/** Bytes that were uploaded to a conversation, before a comment refers to them (requests 9). */
export const attachFile = command({
  name: "attachment.create",
  version: 1,
  doors: { route: "anybody" },
  input: z.object({
    id: newId,
    requestId,
    name: attachmentName,
    key: attachmentName,
    sha256: z.string(),
    md5: z.string(),
    size: z.number().int().nonnegative(),
  }),
});
export type AttachFile = z.infer<typeof attachFile.input>;

export const deleteAttachment = command({
  name: "attachment.delete",
  version: 1,
  doors: { route: "anybody" },
  input: z.object({ requestId, key: z.string() }),
});
