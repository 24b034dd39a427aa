import { z } from "zod";

const keptFile = z.object({
  id: z.uuid(),
  key: z.string().max(1000),
  name: z.string().max(1000),
  size: z.number().int().nonnegative(),
});

/** A file uploaded for an unsent comment; `size` in bytes. */
export type KeptFile = z.infer<typeof keptFile>;

/** An unsent comment in an editor: HTML, and the files uploaded for it. */
export const commentDraft = z.object({
  content: z.string().max(100_000),
  files: z.array(keptFile).max(100).default([]),
});
export type CommentDraft = z.infer<typeof commentDraft>;

/** An unsent comment to save. `base` is the last saved version that the window knows, to merge another window's work. */
export const keptCommentDraft = commentDraft.extend({ base: commentDraft.optional() });

export const isBlank = ({ content, files }: CommentDraft): boolean => content === "" && files.length === 0;
