import { z } from "zod";
import { command } from "../kernel/command.ts";

/** The input of a deletion by an administrator (records 4.7). */
export const deletionInput = z.object({
  removal_reason: z.object({ id: z.string() }).nullish(),
  note: z.string().nullish(),
  citation_text: z.string().nullish(),
  is_visible: z.boolean().nullish(),
});

/** Deletes a published record and leaves a tombstone. */
export const deleteRecord = command({
  name: "record.delete",
  version: 1,
  senders: { route: "anybody" },
  input: deletionInput.extend({ id: z.string() }),
});
export type DeleteRecord = z.infer<typeof deleteRecord.input>;

export const restoreRecord = command({
  name: "record.restore",
  version: 1,
  senders: { route: "anybody" },
  input: z.object({ id: z.string() }),
});
export type RestoreRecord = z.infer<typeof restoreRecord.input>;
