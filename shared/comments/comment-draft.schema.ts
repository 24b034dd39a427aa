import { z } from "zod";

const keptFile = z.object({
  id: z.uuid(),
  key: z.string().max(1000),
  name: z.string().max(1000),
  size: z.number().int().nonnegative(),
});

/** A file that was uploaded for a comment which is not sent yet; `size` in bytes. */
export type KeptFile = z.infer<typeof keptFile>;

/** What stands in an editor of a request, not sent yet: HTML, and the files uploaded for it. */
export const commentDraft = z.object({
  content: z.string().max(100_000),
  files: z.array(keptFile).max(100).default([]),
});
export type CommentDraft = z.infer<typeof commentDraft>;

/** What a window keeps; `base` is what it last knew to be kept, so that the work of another window is merged in. */
export const keptCommentDraft = commentDraft.extend({ base: commentDraft.optional() });

export const isBlank = ({ content, files }: CommentDraft): boolean => content === "" && files.length === 0;
