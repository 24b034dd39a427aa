import { z } from "zod";

const when = z.enum(["always", "opened"]).default("opened");

/** Which files a replica keeps beside those that only it has, and how much of the line they may take (design, ux 10). */
export const keepingSchema = z.object({
  /** Files of the person's own drafts and records: fetched without being asked for, or when opened. */
  own: when,
  /** Files of records that others shared with the user. */
  shared: when,
  /** Drafts and records whose files are kept whatever the rules above say. */
  records: z.array(z.string().max(100)).max(1000).default([]),
  /** Most bytes of copies that the server has as well; null: no limit. */
  most: z.number().int().positive().nullable().default(null),
  /** A costly line: changes go, files wait in both directions, those that are opened excepted. */
  hold_files: z.boolean().default(false),
  /** Most bytes a second that files may take, each way; null: no limit. */
  rate: z.number().int().min(10_000).nullable().default(null),
});
export type Keeping = z.infer<typeof keepingSchema>;
