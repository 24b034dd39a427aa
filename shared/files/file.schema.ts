import { z } from "zod";
import { fileName } from "./file-name.schema.ts";

const metadata = z.record(z.string(), z.unknown());
const hex = (length: number) => z.string().regex(new RegExp(`^[0-9a-f]{${length}}$`));

/** What a caller may announce of one file (records 6.3). */
export const fileInitInput = z.strictObject({
  key: fileName,
  metadata: metadata.nullish(),
  access: z.strictObject({ hidden: z.boolean() }).optional(),
  size: z.int().nonnegative().nullish(),
  checksum: z
    .string()
    .regex(/^(md5:[0-9a-fA-F]{32}|sha256:[0-9a-fA-F]{64})$/, { message: "Not a valid checksum." })
    .nullish(),
  transfer: z.looseObject({ type: z.literal("L").optional() }).optional(),
});
export const fileInitInputs = z.array(fileInitInput).min(1);
export type FileInitInput = z.infer<typeof fileInitInput>;

export const fileMetadataInput = z.strictObject({ metadata });

const entryId = z.uuid();
const ofEntry = { draftId: z.string(), entryId, key: z.string() };

/** Makes pending entries. */
export const initFiles = {
  name: "file.init",
  version: 1,
  delivery: "queue" as const,
  input: z.object({
    draftId: z.string(),
    bucketId: z.uuid(),
    files: z.array(
      z.object({
        id: entryId,
        key: fileName,
        metadata: metadata.nullable(),
        hidden: z.boolean(),
        announced: z.object({ size: z.int().optional(), checksum: z.string().optional() }).nullable(),
      }),
    ),
  }),
};
export type InitFiles = z.infer<typeof initFiles.input>;

/** Links bytes that are in the blob store already; names them, so that the server can execute it when it has them. */
export const commitFile = {
  name: "file.commit",
  version: 1,
  delivery: "queue" as const,
  input: z.object({
    ...ofEntry,
    sha256: hex(64),
    md5: hex(32),
    size: z.int().nonnegative(),
    fileId: z.uuid(),
    versionId: z.uuid(),
  }),
};
export type CommitFile = z.infer<typeof commitFile.input>;

export const deleteFile = {
  name: "file.delete",
  version: 1,
  delivery: "queue" as const,
  input: z.object(ofEntry),
};
export type DeleteFile = z.infer<typeof deleteFile.input>;

export const deleteAllFiles = {
  name: "file.delete-all",
  version: 1,
  delivery: "queue" as const,
  /** Those that its person saw: a file that somebody added meanwhile is not hers to remove. */
  input: z.object({ draftId: z.string(), entryIds: z.array(entryId) }),
};
export type DeleteAllFiles = z.infer<typeof deleteAllFiles.input>;

export const describeFile = {
  name: "file.metadata",
  version: 1,
  delivery: "queue" as const,
  input: z.object({ ...ofEntry, metadata }),
};
export type DescribeFile = z.infer<typeof describeFile.input>;

/** Links all files of the previous version; ids of the entries follow from `bucketId` and the names (records 4.4). */
export const importFiles = {
  name: "files.import",
  version: 1,
  delivery: "queue" as const,
  input: z.object({ draftId: z.string(), bucketId: z.uuid() }),
};
export type ImportFiles = z.infer<typeof importFiles.input>;
