import { z } from "zod";
import { command } from "../kernel/command.ts";
import { idText, newId } from "../kernel/id-text.schema.ts";
import { fileName } from "./file-name.schema.ts";

const hex = (length: number) => z.string().regex(new RegExp(`^[0-9a-f]{${length}}$`));

/**
 * Restores a removed file. It carries the whole entry: a server that no longer has the file restores it from the bytes
 * that the replica sends.
 */
export const restoreFile = command({
  name: "file.restore",
  version: 1,
  delivery: "queue",
  senders: { route: "anybody", push: "person" },
  input: z.object({
    draftId: idText,
    entry: z.object({
      id: newId,
      key: fileName,
      sha256: hex(64),
      md5: hex(32),
      size: z.int().nonnegative(),
      metadata: z.record(z.string(), z.unknown()).nullable(),
      hidden: z.boolean(),
      file_id: newId,
      version_id: newId,
      bucket_id: newId,
      position: z.int().nonnegative(),
    }),
    wasPreview: z.boolean(),
    orderIndex: z.int().nonnegative().nullable(),
  }),
});
export type RestoreFile = z.infer<typeof restoreFile.input>;
