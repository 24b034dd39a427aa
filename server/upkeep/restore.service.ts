import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import path from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { crc32 } from "node:zlib";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { DiskBlobStore } from "../../shared/blobs/disk-blob-store.ts";
import { openDatabase } from "../../shared/database/open.ts";
import { type DataFolder, openDataFolder } from "../../shared/kernel/data-folder.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { giveAllToFolder, privateFile } from "../../shared/kernel/private-files.ts";
import { forgetBucket } from "../open-blobs.ts";
import { beginNewEpoch } from "../sync/epoch.service.ts";
import {
  type BackupManifest,
  backupFormat,
  blobPrefix,
  databaseName,
  manifestName,
  partialName,
} from "./backup-format.ts";
import { syncAndRename } from "./sync-and-rename.ts";

export interface RestoreReport {
  data: string;
  blobs: number;
  /** When the backup was made, ISO 8601. */
  created: string;
  /** Digests of blobs that were damaged before the backup or in it. They were left out. */
  damaged: string[];
}

const broken = (why: string): Failure => new Failure("invalid", `The backup is damaged: ${why}. Nothing was restored.`);
const notOne = (file: string): Failure => new Failure("invalid", `${file} is not a backup of Carrel.`);
/** A backup ends with the list of its parts, so one that was cut cannot be opened. */
const notWhole = (file: string): Failure =>
  new Failure("invalid", `${file} is not a backup of Carrel, or only the beginning of one.`);

/** Passes bytes through and verifies the archive's checksum at the end. */
function verifyChecksum({ crc32: expected, fileName }: Entry): Transform {
  let crc = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      crc = crc32(chunk, crc);
      callback(null, chunk);
    },
    flush(callback) {
      callback(crc === expected ? null : broken(`the checksum of ${fileName} is wrong`));
    },
  });
}

async function readEntry(zip: ZipFile, entry: Entry) {
  const source = await zip.openReadStreamPromise(entry);
  const out = verifyChecksum(entry);
  source.once("error", (error) => out.destroy(error));
  return source.pipe(out);
}

async function readManifest(zip: ZipFile, entry: Entry, file: string): Promise<BackupManifest> {
  if (entry.fileName !== manifestName || entry.uncompressedSize > 10_000) throw notOne(file);
  const chunks: Buffer[] = [];
  for await (const chunk of await readEntry(zip, entry)) chunks.push(chunk);
  const manifest = JSON.parse(Buffer.concat(chunks).toString()) as BackupManifest;
  if (manifest.format > backupFormat) {
    throw new Failure(
      "unavailable",
      `This backup was made by a newer version (${manifest.version}). Use that version to restore it.`,
    );
  }
  return manifest;
}

/** The bytes of a blob, none if the damage is where they begin. */
const readBlob = (zip: ZipFile, entry: Entry): Promise<Readable> =>
  zip.openReadStreamPromise(entry).catch((error: unknown) => {
    if (error instanceof Error && "code" in error) throw error;
    return Readable.from([]);
  });

/**
 * The name of a blob finds bytes that were damaged, before the backup or in it: everything else must not be lost with it.
 * @returns whether it was restored.
 */
async function restoreBlob(zip: ZipFile, entry: Entry, blobs: DiskBlobStore): Promise<boolean> {
  const named = entry.fileName.slice(blobPrefix.length);
  const id = randomUUID();
  await blobs.create(id);
  const { offset } = await blobs.append(id, 0, await readBlob(zip, entry));
  let found = named;
  const sealed = blobs.seal(id, offset, ({ sha256 }) => {
    found = sha256;
    if (found !== named) throw broken(`the content of ${entry.fileName} has another sha256`);
  });
  await sealed.catch((error: unknown) => {
    if (found === named) throw error;
  });
  return found === named;
}

/** Unpacks every member. The database gets a temporary name that no host opens. */
async function unpack(zip: ZipFile, file: string, folder: DataFolder, database: string) {
  const blobs = new DiskBlobStore(folder.blobs);
  await blobs.prepare();
  let manifest: BackupManifest | undefined;
  let count = 0;
  const damaged: string[] = [];
  for await (const entry of zip.eachEntry()) {
    if (!manifest) manifest = await readManifest(zip, entry, file);
    else if (entry.fileName === databaseName) {
      const output = await open(database, "wx", privateFile);
      await pipeline(await readEntry(zip, entry), output.createWriteStream({ flush: true }));
    } else if (/^blobs\/[0-9a-f]{64}$/.test(entry.fileName)) {
      if (await restoreBlob(zip, entry, blobs)) count += 1;
      else damaged.push(entry.fileName.slice(blobPrefix.length));
    } else throw broken(`it has an unexpected member ${entry.fileName}`);
  }
  if (!manifest) throw notOne(file);
  if (!existsSync(database)) throw broken("it has no database");
  return { manifest, count, damaged };
}

async function openArchive(file: string): Promise<ZipFile> {
  try {
    return await openPromise(file, { lazyEntries: true, autoClose: false });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
    throw code === undefined ? notWhole(file) : new Failure("unavailable", `${file} cannot be read (${code}).`);
  }
}

/** Puts the unpacked database in place with a new epoch, which replicas notice (hosts-and-sync 4). Its bytes are here. */
async function activate(partial: string, folder: DataFolder): Promise<void> {
  const opened = openDatabase(partial, "whole");
  try {
    await beginNewEpoch(opened.db, randomUUID().slice(0, 8), Date.now() * 1000);
    await forgetBucket(opened.db);
  } finally {
    await opened.close();
  }
  await syncAndRename(partial, folder.database);
}

/**
 * Restores a backup into a folder without data (hosts-and-sync 1), or again into one where a restore was interrupted.
 * @throws Failure `conflict` if the folder has data, `invalid` if the file is not a backup or is damaged; then nothing
 * is left behind.
 */
export async function restoreBackup(file: string, dataDir: string): Promise<RestoreReport> {
  const zip = await openArchive(file);
  try {
    const partial = path.join(dataDir, partialName);
    const isWhole = existsSync(path.join(dataDir, databaseName));
    const isInterrupted = !isWhole && existsSync(partial);
    if (isWhole || (!isInterrupted && existsSync(path.join(dataDir, "blobs")))) {
      throw new Failure("conflict", `${dataDir} already contains data. Restore into an empty or new folder.`);
    }
    const folder = openDataFolder(dataDir, "server");
    try {
      if (isInterrupted) await rm(folder.blobs, { recursive: true, force: true });
      await rm(partial, { force: true });
      const { manifest, count, damaged } = await unpack(zip, file, folder, partial);
      await giveAllToFolder([folder.blobs, partial]);
      await activate(partial, folder);
      return { data: path.resolve(dataDir), blobs: count, created: manifest.created, damaged };
    } catch (error) {
      await rm(folder.blobs, { recursive: true, force: true });
      if (error instanceof Failure) throw error;
      const isOfTheSystem = error instanceof Error && "code" in error;
      throw isOfTheSystem ? error : broken(error instanceof Error ? error.message : String(error));
    } finally {
      for (const left of [partial, `${partial}-wal`, `${partial}-shm`]) await rm(left, { force: true });
      folder.release();
    }
  } finally {
    zip.close();
  }
}
