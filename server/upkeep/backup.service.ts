import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { DiskBlobStore } from "../../shared/blobs/disk-blob-store.ts";
import { dosTimeOf, writeZip, type ZipMember } from "../../shared/containers/zip-writer.ts";
import { type OpenDatabase, openDatabase } from "../../shared/database/open.ts";
import { findDataFolder } from "../../shared/kernel/data-folder.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { privateFile, privateFolder } from "../../shared/kernel/private-files.ts";
import { version } from "../../shared/version.ts";
import { openRows } from "../open-rows.ts";
import { type BackupManifest, backupFormat, blobPrefix, databaseName, manifestName } from "./backup-format.ts";
import { blobFile, sizeOfFile } from "./blob-files.ts";
import { listReferredBlobs } from "./blob-reference.repository.ts";

export interface BackupReport {
  file: string;
  bytes: number;
  blobs: number;
  /** Digests of blobs that should be here but are missing. */
  missing: string[];
}

export type BackupProgress = (written: number, total: number) => void;

type Member = Pick<ZipMember, "name" | "sizeBytes" | "open">;

async function blobMembers(dataDir: string, db: OpenDatabase["db"]): Promise<{ members: Member[]; missing: string[] }> {
  const folder = path.join(dataDir, "blobs");
  const store = new DiskBlobStore(folder);
  const members: Member[] = [];
  const missing: string[] = [];
  for (const { sha256, isPresent } of await listReferredBlobs(db)) {
    const sizeBytes = await sizeOfFile(blobFile(folder, sha256));
    if (sizeBytes !== undefined) members.push({ name: blobPrefix + sha256, sizeBytes, open: () => store.read(sha256) });
    else if (isPresent === 1) missing.push(sha256);
  }
  return { members, missing };
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

async function syncAndRename(from: string, to: string): Promise<void> {
  const handle = await open(from, "r+");
  await handle.sync();
  await handle.close();
  await rename(from, to);
  const folder = await open(path.dirname(to), "r");
  await folder.sync();
  await folder.close();
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

/** Told of progress this often at most, in bytes. */
const progressBytes = 4_000_000;

/** Calls `onProgress` with the sum so far, once in some megabytes. */
function progressOf(members: readonly Member[], onProgress: BackupProgress): (count: number) => void {
  const total = members.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  let written = 0;
  let told = 0;
  onProgress(0, total);
  return (count) => {
    written += count;
    if (written - told < progressBytes) return;
    told = written;
    onProgress(Math.min(written, total), total);
  };
}

/**
 * Writes a consistent copy of a server's or replica's data into one file, also while it runs (hosts-and-sync 1). An
 * earlier file of that name stays until the new one is complete.
 * @param onProgress told how many of all bytes are written.
 * @throws Failure `unavailable` if the folder has no data or damaged data, `disk_full`.
 */
export async function writeBackup(
  dataDir: string,
  file: string,
  onProgress: BackupProgress = () => undefined,
): Promise<BackupReport> {
  const folder = findDataFolder(dataDir);
  const target = path.resolve(file);
  const partial = `${target}.${process.pid}.partial`;
  const copy = `${target}.${process.pid}.database`;
  try {
    await mkdir(path.dirname(target), { recursive: true, mode: privateFolder });
    const source = await openRows(folder);
    try {
      await source.copyTo(copy);
    } finally {
      await source.close();
    }
    const frozen = openDatabase(copy, "whole");
    const { members, missing } = await blobMembers(folder.path, frozen.db).finally(frozen.close);
    const all = [manifestMember(), await fileMember(databaseName, copy), ...members];
    const output = await open(partial, "wx", privateFile);
    const zip = counted(writeZip(packed(all)), progressOf(all, onProgress));
    await pipeline(Readable.from(zip, { objectMode: false }), output.createWriteStream());
    await syncAndRename(partial, target);
    const { size } = await stat(target);
    return { file: target, bytes: size, blobs: members.length, missing };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOSPC" || code === "EDQUOT") throw new Failure("disk_full", `The disk of ${target} is full.`);
    if (code === "EACCES" || code === "EROFS" || code === "ENOTDIR" || code === "EISDIR" || code === "EEXIST") {
      throw new Failure("unavailable", `${target} cannot be written (${code}).`);
    }
    throw error;
  } finally {
    for (const left of [partial, copy, `${copy}-wal`, `${copy}-shm`]) await rm(left, { force: true });
  }
}
