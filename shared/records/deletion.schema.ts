import { z } from "zod";

/** What an administrator may say about a deletion (records 4.7). */
export const deletionInput = z.object({
  removal_reason: z.object({ id: z.string() }).nullish(),
  note: z.string().nullish(),
  citation_text: z.string().nullish(),
  is_visible: z.boolean().nullish(),
});

/** Takes a published record out of sight; a tombstone stays. */
export const deleteRecord = {
  name: "record.delete",
  version: 1,
  delivery: "server" as const,
  input: deletionInput.extend({ id: z.string() }),
};
export type DeleteRecord = z.infer<typeof deleteRecord.input>;

export const restoreRecord = {
  name: "record.restore",
  version: 1,
  delivery: "server" as const,
  input: z.object({ id: z.string() }),
};
export type RestoreRecord = z.infer<typeof restoreRecord.input>;
