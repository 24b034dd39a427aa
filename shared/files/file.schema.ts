import { z } from "zod";
import { command } from "../kernel/command.ts";
import { idText, newId } from "../kernel/id-text.schema.ts";
import { fileName } from "./file-name.schema.ts";

const metadata = z.record(z.string(), z.unknown());
const hex = (length: number) => z.string().regex(new RegExp(`^[0-9a-f]{${length}}$`));

const checksum = z
  .string()
  .regex(/^(md5:[0-9a-fA-F]{32}|sha256:[0-9a-fA-F]{64})$/, { message: "Not a valid checksum." });

/** What a caller may announce about a file (records 6.3). */
export const fileInitInput = z.strictObject({
  key: fileName,
  metadata: metadata.nullish(),
  access: z.strictObject({ hidden: z.boolean() }).optional(),
  size: z.int().nonnegative().nullish(),
  checksum: checksum.nullish(),
  transfer: z.looseObject({ type: z.literal("L").optional() }).optional(),
});
export const fileInitInputs = z.array(fileInitInput).min(1);
export type FileInitInput = z.infer<typeof fileInitInput>;

export const fileMetadataInput = z.strictObject({ metadata });

const entryId = z.uuid();
const ofEntry = { draftId: idText, entryId, key: z.string().max(255) };

/** Creates pending entries. */
export const initFiles = command({
  name: "file.init",
  version: 1,
  delivery: "queue",
  senders: { route: "anybody", push: "person" },
  input: z.object({
    draftId: idText,
    bucketId: newId,
    files: z.array(
      z.object({
        id: newId,
        key: fileName,
        metadata: metadata.nullable(),
        hidden: z.boolean(),
        announced: z.object({ size: z.int().nonnegative().optional(), checksum: checksum.optional() }).nullable(),
      }),
    ),
  }),
});
export type InitFiles = z.infer<typeof initFiles.input>;

/**
 * Completes an entry with bytes from the blob store. Names their digests, so that the server can wait for the bytes.
 */
export const commitFile = command({
  name: "file.commit",
  version: 1,
  delivery: "queue",
  senders: { route: "anybody", push: "person" },
  input: z.object({
    ...ofEntry,
    sha256: hex(64),
    md5: hex(32),
    size: z.int().nonnegative(),
    fileId: newId,
    versionId: newId,
  }),
});
export type CommitFile = z.infer<typeof commitFile.input>;

export const deleteFile = command({
  name: "file.delete",
  version: 1,
  delivery: "queue",
  senders: { route: "anybody", push: "person" },
  input: z.object(ofEntry),
});
export type DeleteFile = z.infer<typeof deleteFile.input>;

export const deleteAllFiles = command({
  name: "file.delete-all",
  version: 1,
  delivery: "queue",
  senders: { route: "anybody", push: "person" },
  /** The files that the user saw: files added meanwhile are not removed. */
  input: z.object({ draftId: idText, entryIds: z.array(entryId) }),
});
export type DeleteAllFiles = z.infer<typeof deleteAllFiles.input>;

export const describeFile = command({
  name: "file.metadata",
  version: 1,
  delivery: "queue",
  senders: { route: "anybody", push: "person" },
  /** `sha256`: the bytes that the user saw. `seen`: the description before; older replicas send none. */
  input: z.object({ ...ofEntry, metadata, seen: metadata.optional(), sha256: hex(64).optional() }),
});
export type DescribeFile = z.infer<typeof describeFile.input>;

/**
 * Links all files of the previous version. Ids of the entries are derived from `bucketId` and the names (records 4.4).
 */
export const importFiles = command({
  name: "files.import",
  version: 1,
  delivery: "queue",
  senders: { route: "anybody", push: "person" },
  input: z.object({ draftId: idText, bucketId: newId }),
});
export type ImportFiles = z.infer<typeof importFiles.input>;
