import { z } from "zod";
import { validateAnswer } from "../../../sync/validate-answer.ts";

/** Ids become parts of paths. Those of Zenodo are numbers. */
export const theirId = z
  .union([z.string(), z.int()])
  .transform(String)
  .refine((id) => /^[\w-]{1,100}$/.test(id), "not an id");

const json = z.record(z.string(), z.unknown());

const fileOfRecord = z.looseObject({
  key: z.string().max(1000),
  size: z.int().nonnegative().nullish(),
  checksum: z.string().max(200).nullish(),
  mimetype: z.string().max(300).nullish(),
  metadata: json.nullish(),
  access: z.looseObject({ hidden: z.boolean().nullish() }).nullish(),
});

/** An entry of the list of files of a draft. */
export const theirFile = fileOfRecord.extend({ status: z.string().default("completed") });
export const theirFiles = z.looseObject({ entries: z.array(theirFile).max(100_000).default([]) });
export type TheirFile = z.infer<typeof theirFile>;

/** A draft or a record as their API presents it. */
export const theirRecord = z.looseObject({
  id: theirId,
  created: z.string().max(60),
  updated: z.string().max(60),
  revision_id: z.int(),
  parent: z.looseObject({
    id: theirId,
    access: z.looseObject({ owned_by: z.looseObject({ user: theirId }).nullish() }).nullish(),
    review: z.looseObject({ id: theirId.optional() }).nullish(),
  }),
  versions: z.looseObject({ index: z.int().default(1), is_latest: z.boolean().default(true) }).prefault({}),
  is_published: z.boolean().default(false),
  is_draft: z.boolean().default(false),
  metadata: json.default({}),
  custom_fields: json.default({}),
  access: json.default({}),
  pids: json.default({}),
  files: z
    .looseObject({
      enabled: z.boolean().default(true),
      default_preview: z.string().nullish(),
      order: z.array(z.string()).default([]),
      count: z.int().nullish(),
      entries: z.union([z.record(z.string(), fileOfRecord), z.array(fileOfRecord)]).nullish(),
    })
    .prefault({}),
  expires_at: z.string().nullish(),
  errors: z.unknown().optional(),
});
export type TheirRecord = z.infer<typeof theirRecord>;

export const theirList = z.looseObject({
  hits: z.looseObject({ hits: z.array(z.unknown()).max(10_000), total: z.int().nullish() }),
});

/** A page of a list. */
export interface Page<T> {
  hits: T[];
  isLast: boolean;
}

/** The objects of a page that can be read. One that cannot must not hide the others. @param size that was asked for */
export function pageOf<T>(schema: z.ZodType<T>, hits: readonly unknown[], size: number): Page<T> {
  const read = hits.flatMap((hit) => {
    const { success, data } = schema.safeParse(hit);
    return success ? [data] : [];
  });
  return { hits: read, isLast: hits.length < size };
}

/** @throws InvalidAnswer */
export const readTheirRecord = (body: unknown): TheirRecord => validateAnswer(theirRecord, body);

/** The files that a published record lists. */
export function filesOfRecord({ files: { entries } }: TheirRecord): TheirFile[] {
  const listed = Array.isArray(entries) ? entries : Object.values(entries ?? {});
  return listed.map((file): TheirFile => ({ ...file, status: "completed" }));
}

/** Whether a list left the files out, or was written before the server had computed the MD5 of one. */
export const isWithoutFiles = (theirs: TheirRecord): boolean => {
  const files = filesOfRecord(theirs);
  if (files.length === 0) return Number(theirs.files.count ?? 0) > 0;
  return files.some(({ checksum }) => !checksum?.startsWith("md5:"));
};
