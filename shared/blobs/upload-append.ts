import type { UploadRow } from "../database/schema.ts";
import { Failure } from "../kernel/failure.ts";
import type { UploadStart } from "./storage-meters.ts";
import type { UploadHeaders } from "./upload-headers.ts";
import type { UploadMeter } from "./upload-meter.ts";
import type { Announced } from "./upload-refusals.ts";

/** What is uploaded: a file entry's content, or a blob by its digest. */
export interface UploadTarget {
  /** Identifies the upload. */
  key: string;
  /** The largest size, and the error beyond it: for the number of bytes, as far as known. */
  maxBytes: number;
  tooLarge: (bytes: number) => Failure;
  /** The announced size and digests; different bytes are dropped. */
  expected: Announced;
  /** Counts the upload against a quota. @throws Failure 507 when the bytes exceed it. */
  openMeter?(bytes: number, at: UploadStart): Promise<UploadMeter | undefined>;
}

/**
 * The disk, or the database on it, is full, or the store cannot be reached: stored bytes stay, and the upload may continue
 * later.
 */
export const keepsBytes = (error: unknown): boolean =>
  error instanceof Failure
    ? error.kind === "disk_full" || error.kind === "unavailable"
    : error instanceof Error && "code" in error && error.code === "SQLITE_FULL";

/**
 * The `ETag` of an upload until its file is committed. It changes when a client restarts the content, so that two
 * clients do not mix their parts. It stays when another process continues the upload, and when the last part arrives.
 */
export const tagOf = (begun: number): string => `"${begun.toString(36)}"`;

export const partialOf = (key: string): string => `partial:${key}`;

/** One append to an upload. `isKept`: bytes stay when the connection breaks off. */
export interface Append {
  target: UploadTarget;
  name: string;
  from: number;
  length: number | null;
  /** When the first part began, in microseconds UTC. */
  begun: number;
  sha256: string | null;
  isKept: boolean;
  headers: UploadHeaders;
  onStored?: UploadMeter["onStored"];
}

/** The row of an upload that begins. */
export const begunRow = ({ target, name, length, sha256, begun }: Append, updated: number): UploadRow => ({
  ...{ key: partialOf(target.key), name, length, sha256, created: begun, updated },
  ...{ upload_offset: 0, complete: 0, md5: null },
});

export function assertFits({ target, from, length, headers }: Append): void {
  const announced = headers.uploadLength ?? length ?? undefined;
  const afterwards = from + (headers.contentLength ?? 0);
  const least = Math.max(announced ?? 0, afterwards);
  if (least > target.maxBytes) throw target.tooLarge(least);
  if (announced === undefined || headers.contentLength === undefined) return;
  const isWrong = headers.isComplete === true ? afterwards !== announced : afterwards > announced;
  if (isWrong) throw new Failure("invalid", `The upload was announced with ${announced} bytes.`);
}
