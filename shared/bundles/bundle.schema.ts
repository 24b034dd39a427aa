import { z } from "zod";

/** A value of a column; bytes are sent as base64. */
export type Cell = string | number | null | { $bytes: string };
export type BundleRow = Record<string, Cell>;

function isCell(value: unknown): value is Cell {
  if (value === null || typeof value === "string" || typeof value === "number") return true;
  return typeof value === "object" && "$bytes" in value && typeof value.$bytes === "string";
}

/** Checked without zod: a first copy has millions of rows. */
const row = z.custom<BundleRow>((value) => {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return false;
  for (const name in value) if (!isCell((value as Record<string, unknown>)[name])) return false;
  return true;
}, "A row holds texts, numbers, nulls and bytes.");

/** All rows of one object that its reader may see: a replica stores them as the server's state. */
export const bundleSchema = z.object({
  kind: z.enum(["family", "request", "user", "group", "notification"]),
  id: z.string(),
  rows: z.record(z.string(), z.array(row)),
  /** Users who appear in the object: the part of their card that the reader may see. */
  people: z.array(row),
});

export type Bundle = z.infer<typeof bundleSchema>;
