import { createHash } from "node:crypto";
import { mkdir, open, rm, stat } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { dosTimeOf, writeZip, type ZipMember } from "../../shared/containers/zip-writer.ts";
import { type Db, openDatabase } from "../../shared/database/open.ts";
import { type DataPaths, findDataFolder } from "../../shared/kernel/data-folder.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { removeInterrupted, unfinished } from "../../shared/kernel/interrupted-files.ts";
import { privateFile, privateFolder } from "../../shared/kernel/private-files.ts";
import { version } from "../../shared/version.ts";
import { type OpenBlobs, openBlobs } from "../open-blobs.ts";
import { type OpenRows, openRows } from "../open-rows.ts";
import { type BackupManifest, backupFormat, blobPrefix, databaseName, manifestName } from "./backup-format.ts";
import { listReferredBlobs } from "./blob-reference.repository.ts";
import { syncAndRename } from "./sync-and-rename.ts";

export interface BackupReport {
  file: string;
  bytes: number;
  blobs: number;
  /** Digests of blobs that should be here but are missing. */
  missing: string[];
  /** Digests of blobs whose bytes are others than those. A restore leaves them out. */
  damaged: string[];
}

export type BackupProgress = (written: number, total: number) => void;

type Member = Pick<ZipMember, "name" | "sizeBytes" | "open">;

/** Passes bytes on, and says at their end whether they were those of the digest. */
async function* verified(
  bytes: AsyncIterable<Uint8Array>,
  sha256: string,
  onDamaged: () => void,
): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest("hex") !== sha256) onDamaged();
}

/** The members are found damaged only while they are written. */
async function blobMembers(db: Db, { store, checked }: OpenBlobs) {
  const members: Member[] = [];
  const missing: string[] = [];
  const damaged: string[] = [];
  for (const { sha256, isPresent } of await listReferredBlobs(db)) {
    const sizeBytes = await checked.sizeOf(sha256);
    const read = async () => Readable.from(verified(await store.read(sha256), sha256, () => damaged.push(sha256)));
    if (sizeBytes !== undefined) members.push({ name: blobPrefix + sha256, sizeBytes, open: read });
    else if (isPresent === 1) missing.push(sha256);
  }
  return { members, missing, damaged };
}

function* packed(members: Iterable<Member>): Generator<ZipMember> {
  const dosTime = dosTimeOf(new Date());
  for (const member of members) {
    yield { ...member, dosTime, method: 0, crc32: undefined, compressedBytes: member.sizeBytes };
  }
}

function manifestMember(): Member {
  const manifest: BackupManifest = { format: backupFormat, version, created: new Date().toISOString() };
  const text = Buffer.from(JSON.stringify(manifest));
  return { name: manifestName, sizeBytes: text.byteLength, open: async () => Readable.from([text]) };
}

async function fileMember(name: string, file: string): Promise<Member> {
  const { size } = await stat(file);
  return { name, sizeBytes: size, open: async () => (await open(file, "r")).createReadStream() };
}

/** Passes bytes on and counts them. */
async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  onBytes: (count: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    onBytes(chunk.byteLength);
    yield chunk;
  }
}

/** Progress is reported after this many bytes. */
const progressBytes = 4_000_000;

/** Calls `onProgress` with the sum so far, once in some megabytes. */
function progressOf(members: readonly Member[], onProgress: BackupProgress): (count: number) => void {
  const total = members.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  let written = 0;
  let reported = 0;
  onProgress(0, total);
  return (count) => {
    written += count;
    if (written - reported < progressBytes) return;
    reported = written;
    onProgress(Math.min(written, total), total);
  };
}

async function withBytes<T>(folder: DataPaths, work: (source: OpenRows, bytes: OpenBlobs) => Promise<T>): Promise<T> {
  const source = await openRows(folder);
  try {
    const bytes = await openBlobs(folder, source.db, () => Date.now() * 1000);
    return await work(source, bytes).finally(bytes.close);
  } finally {
    await source.close();
  }
}

/** Writes a copied database, and the bytes that it refers to. */
async function writeMembers(
  bytes: OpenBlobs,
  { copy, partial }: { copy: string; partial: string },
  onProgress: BackupProgress,
): Promise<Pick<BackupReport, "blobs" | "missing" | "damaged">> {
  const frozen = openDatabase(copy, "whole");
  const { members, ...wrong } = await blobMembers(frozen.db, bytes).finally(frozen.close);
  const all = [manifestMember(), await fileMember(databaseName, copy), ...members];
  const output = await open(partial, "wx", privateFile);
  const zip = counted(writeZip(packed(all)), progressOf(all, onProgress));
  await pipeline(Readable.from(zip, { objectMode: false }), output.createWriteStream());
  return { blobs: members.length, ...wrong };
}

/** Where the name of its first member begins in a ZIP. */
const firstNameAt = 30;

/** @throws Failure `conflict` when something else has that name, such as the database itself. */
async function assertReplaceable(target: string): Promise<void> {
  const found = await stat(target).catch(() => undefined);
  if (!found || (found.isFile() && found.size === 0)) return;
  const name = Buffer.alloc(manifestName.length);
  if (found.isFile()) {
    const file = await open(target, "r");
    await file.read(name, 0, name.length, firstNameAt).finally(() => file.close());
  }
  if (name.toString() === manifestName) return;
  throw new Failure("conflict", `${target} is there already, and is not a backup of Carrel. Nothing was written.`);
}

/** Whether the file system refuses to write the target, or a file beside it. */
const isOfTarget = (error: NodeJS.ErrnoException, target: string): boolean =>
  error.syscall !== undefined &&
  (error.path === undefined || !path.relative(path.dirname(target), error.path).includes(path.sep));

/**
 * Writes a consistent copy of a server's or replica's data into one file, also while it runs (hosts-and-sync 1). An
 * earlier backup of that name stays until the new one is complete.
 * @param onProgress called with the number of bytes written and their total.
 * @throws Failure `unavailable` if the folder has no data or damaged data, or a store cannot be reached; `conflict` if
 * FILE is something else; `disk_full`.
 */
export async function writeBackup(
  dataDir: string,
  file: string,
  onProgress: BackupProgress = () => undefined,
): Promise<BackupReport> {
  const folder = findDataFolder(dataDir);
  const target = path.resolve(file);
  const partial = unfinished(target, "partial");
  const copy = unfinished(target, "database");
  try {
    await assertReplaceable(target);
    await mkdir(path.dirname(target), { recursive: true, mode: privateFolder });
    removeInterrupted(target);
    const written = await withBytes(folder, async (source, bytes) => {
      await source.copyTo(copy);
      return writeMembers(bytes, { copy, partial }, onProgress);
    });
    await syncAndRename(partial, target);
    const { size } = await stat(target);
    return { file: target, bytes: size, ...written };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOSPC" || code === "EDQUOT") throw new Failure("disk_full", `The disk of ${target} is full.`);
    if (error instanceof Error && isOfTarget(error, target)) {
      throw new Failure("unavailable", `The backup ${target} cannot be written (${code}).`);
    }
    throw error;
  } finally {
    // What cannot be removed must not hide why the backup failed.
    for (const left of [partial, copy, `${copy}-wal`, `${copy}-shm`])
      await rm(left, { force: true }).catch(() => undefined);
  }
}
