import { z } from "zod";

const when = z.enum(["always", "opened"]).default("opened");

/** Which of the server's files a replica keeps, and how much bandwidth they may use (design, ux 10). */
export const keepingSchema = z.object({
  /** Files of the user's own drafts and records: fetched at once, or when opened. */
  own: when,
  /** Files of records that others shared with the user. */
  shared: when,
  /** Drafts and records whose files are kept whatever the rules above say. */
  records: z.array(z.string().max(100)).max(1000).default([]),
  /** Maximum bytes of copies that the server also has; null: no limit. */
  most: z.number().int().positive().nullable().default(null),
  /** For costly connections: changes are sent, files wait in both directions unless the user opens them. */
  hold_files: z.boolean().default(false),
  /** Maximum bytes a second for files, each way; null: no limit. */
  rate: z.number().int().min(10_000).nullable().default(null),
});
export type Keeping = z.infer<typeof keepingSchema>;
