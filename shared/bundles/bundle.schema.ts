import { z } from "zod";

/** A value of a column on the wire; bytes travel as base64. */
export type Cell = string | number | null | { $bytes: string };
export type BundleRow = Record<string, Cell>;

function isCell(value: unknown): value is Cell {
  if (value === null || typeof value === "string" || typeof value === "number") return true;
  return typeof value === "object" && "$bytes" in value && typeof value.$bytes === "string";
}

/** Judged by hand: a first copy has some millions of them. */
const row = z.custom<BundleRow>((value) => {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return false;
  for (const name in value) if (!isCell((value as Record<string, unknown>)[name])) return false;
  return true;
}, "A row holds texts, numbers, nulls and bytes.");

/** All rows of one object as its reader may see them: what a replica keeps as the server's last word on it. */
export const bundleSchema = z.object({
  kind: z.enum(["family", "request", "user", "group", "notification"]),
  id: z.string(),
  rows: z.record(z.string(), z.array(row)),
  /** People who appear in the object, as the reader may see them. */
  people: z.array(row),
});

export type Bundle = z.infer<typeof bundleSchema>;
