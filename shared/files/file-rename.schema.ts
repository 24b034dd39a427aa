import { z } from "zod";
import { command } from "../kernel/command.ts";
import { idText } from "../kernel/id-text.schema.ts";
import { fileName } from "./file-name.schema.ts";

/** Files of a draft and their new names; a folder is renamed by all files in it. */
export const renamedFilesInput = z.array(z.strictObject({ key: z.string(), new_key: fileName })).min(1);

/** Files of a draft that are removed together. */
export const removedFilesInput = z.array(z.strictObject({ key: z.string() })).min(1);

/** Renames files in one step, so that names can be exchanged. No bytes travel. */
export const renameFiles = command({
  name: "files.rename",
  version: 1,
  delivery: "queue",
  senders: { route: "anybody", push: "person" },
  input: z.object({
    draftId: idText,
    files: z.array(z.object({ entryId: z.uuid(), key: z.string().max(255), newKey: fileName })),
  }),
});
export type RenameFiles = z.infer<typeof renameFiles.input>;
