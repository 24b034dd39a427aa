import type { DraftRow, FileEntryRow } from "../database/schema.ts";
import { Failure, invalid, invalidField, notFound } from "../kernel/failure.ts";
import { withSuffix } from "./file-name.schema.ts";

/** @throws Failure 403 when the files of a draft cannot change (records 4.5). */
export function assertUnlocked(draft: Pick<DraftRow, "is_edit">): void {
  if (draft.is_edit === 1) throw new Failure("forbidden", "Bucket is locked for modifications.");
}

/** @throws Failure 403 for a metadata-only draft (records 6.3). */
export function assertFilesEnabled(draft: Pick<DraftRow, "files_enabled">): void {
  if (draft.files_enabled === 0) throw new Failure("forbidden", "Files are not enabled.");
}

/** @throws Failure 400 when the content of an entry is complete (records 6.4). */
export function assertPending(entry: FileEntryRow): void {
  if (entry.status === "pending") return;
  throw new Failure("invalid", `File with key ${entry.key} is already committed.`);
}

const doesNotExist = (key: string): string => `File with key "${key}" does not exist`;

/** @throws Failure 400 by field for names without an entry. */
export function assertPresent(entries: readonly FileEntryRow[], keys: readonly string[]): void {
  const present = new Set(entries.map(({ key }) => key));
  const problems = keys.flatMap((key, index) =>
    present.has(key) ? [] : [{ field: `${index}.key`, messages: [doesNotExist(key)] }],
  );
  if (problems.length > 0) throw invalid(problems);
}

export const notUploadedYet = (key: string): Failure =>
  new Failure("invalid", `File with key ${key} not uploaded yet.`);

export const noSuchFile = (recordId: string, key: string): Failure =>
  notFound(`Record '${recordId}' has no file '${key}'.`);

export const noSuchRemovedFile = (): Failure =>
  notFound("This file can no longer be restored: a removed file is kept for one day, until its draft is published.");

export const nameTaken = (key: string): Failure => new Failure("invalid", `File with key ${key} already exists.`);

/** @param most the setting, for the app's own words */
export const tooManyFiles = (most: number): Failure =>
  new Failure("invalid", "Uploading selected files will result in exceeding the max amount per record.", {
    extra: { max_files: most },
  });

/** On a replica, a file of a record whose checksum its server has not computed yet. */
export const bytesNotReady = (): Failure =>
  new Failure("unavailable", "The bytes of this file are not here yet. Try again later.");

export const fileTooLarge = (): Failure => new Failure("invalid", "File size limit exceeded.");
export const quotaExceeded = (): Failure => new Failure("invalid", "Bucket quota exceeded.");

interface SizeLimits {
  max_file_bytes: number;
  max_record_bytes: number;
}

/**
 * Checks the size of a file that is committed, and the total.
 * @throws Failure 400 when the file, or all files together, exceed the operator's limit (records 6.4).
 */
export function assertRoom(size: number, entries: readonly Pick<FileEntryRow, "size">[], limits: SizeLimits): void {
  if (size > limits.max_file_bytes) throw fileTooLarge();
  if (entries.reduce((sum, entry) => sum + (entry.size ?? 0), 0) > limits.max_record_bytes) throw quotaExceeded();
}

/** Checks the conditions of a files-import (records 4.4). @throws Failure 404 or 400 on `files.enabled`. */
export function assertImportable(
  draft: DraftRow,
  own: readonly FileEntryRow[],
  previous: readonly FileEntryRow[] | undefined,
): asserts previous is readonly FileEntryRow[] {
  if (!previous) throw notFound();
  if (draft.files_enabled === 0) throw invalidField("files.enabled", "Files support must be enabled.");
  if (own.length > 0) throw invalidField("files.enabled", "Please remove all files first.");
  if (previous.length === 0) throw invalidField("files.enabled", "The record has no files.");
}

/** The announced size and digests of a content, for the upload engine to check (records 6.4). */
export function announcedOf(entry: FileEntryRow): { sizeBytes?: number; md5?: string; sha256?: string } {
  const { size, checksum }: { size?: number; checksum?: string } = JSON.parse(entry.announced ?? "{}");
  const [algorithm, value] = checksum?.toLowerCase().split(":") ?? [];
  return {
    ...(size === undefined ? {} : { sizeBytes: size }),
    ...(algorithm === "md5" && value ? { md5: value } : {}),
    ...(algorithm === "sha256" && value ? { sha256: value } : {}),
  };
}

/** A free name `name (conflict, ada, 2026-11-21).ext`, for the later of two files with one name (hosts-and-sync 4). */
export function freeConflictName(key: string, username: string, day: string, taken: ReadonlySet<string>): string {
  for (let attempt = 0; ; attempt += 1) {
    const number = attempt === 0 ? "" : ` ${attempt + 1}`;
    const name = withSuffix(key, ` (conflict, ${username}, ${day})${number}`);
    if (!taken.has(name)) return name;
  }
}

/** The name of a restored file: its own, or `name (restored).ext` if another file has it now. */
export function restoredName(key: string, taken: ReadonlySet<string>): string {
  for (let attempt = 0; ; attempt += 1) {
    const suffix = attempt === 0 ? "" : ` (restored${attempt === 1 ? "" : ` ${attempt}`})`;
    const name = withSuffix(key, suffix);
    if (!taken.has(name)) return name;
  }
}

/**
 * Ids of conflict copies with the same bytes as the file they conflict with.
 * @param same the completed entries of one draft with the same content.
 */
export function sameFileTwice(same: readonly FileEntryRow[]): string[] {
  const names = new Set(same.map(({ key }) => key));
  const original = (key: string): string =>
    key.replace(/ \(conflict, .+, \d{4}-\d{2}-\d{2}\)(?: \d+)?(\.[^./]*)?$/, "$1");
  return same.filter(({ key }) => original(key) !== key && names.has(original(key))).map(({ id }) => id);
}
