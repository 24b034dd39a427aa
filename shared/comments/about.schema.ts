import { z } from "zod";

/** What a comment is about: a field of the draft by its path, such as `metadata.title`, or a file by its name. */
export const commentAbout = z.union([
  z.strictObject({
    field: z
      .string()
      .regex(/^[a-z_]+(\.[\w:-]+)*$/i)
      .max(200),
  }),
  z.strictObject({ file: z.string().min(1).max(1000) }),
]);
export type CommentAbout = z.infer<typeof commentAbout>;

/** What a log line is about: a reviewer who was added or removed. */
interface ReviewerAbout {
  user?: string | undefined;
  group?: string | undefined;
}

export type EventAbout = (CommentAbout & { resolved_by?: string }) | ReviewerAbout;
