import { z } from "zod";

/** A value of a column on the wire; bytes travel as base64. */
const cell = z.union([z.string(), z.number(), z.null(), z.strictObject({ $bytes: z.base64() })]);
const row = z.record(z.string(), cell);

/** All rows of one object as its reader may see them: what a replica keeps as the server's last word on it. */
export const bundleSchema = z.object({
  kind: z.enum(["family", "request", "user", "group", "notification"]),
  id: z.string(),
  rows: z.record(z.string(), z.array(row)),
  /** People who appear in the object, as the reader may see them. */
  people: z.array(row),
});

export type Cell = z.infer<typeof cell>;
export type BundleRow = z.infer<typeof row>;
export type Bundle = z.infer<typeof bundleSchema>;
