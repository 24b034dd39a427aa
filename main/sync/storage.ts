import type { BlobStore } from "../../shared/blobs/blob-store.ts";
import type { Db } from "../../shared/database/open.ts";
import { listOpen, listRefused } from "./operation.repository.ts";
import type { Snapshot } from "./snapshot.ts";
import {
  deleteCopy,
  listFileBytes,
  listFilePlaces,
  listUnreferencedCopies,
  readDatabaseSize,
} from "./storage.repository.ts";

/** Bytes on this computer by kind (hosts-and-sync 5). */
export interface StorageFigures {
  /** Records, drafts, requests, and everything to search them by. */
  records: number;
  /** Files that only this computer has. They leave once the server has them. */
  unsent: number;
  /** Copies of files on the server. They can be dropped and come back when opened. */
  cached: number;
  total: number;
}

/** Digests that unsent and rejected operations still need. */
async function neededHere(db: Db): Promise<Set<string>> {
  const needed = new Set<string>();
  for (const operation of [...(await listOpen(db)), ...(await listRefused(db))]) {
    for (const { sha256 } of JSON.parse(operation.blobs) as { sha256: string }[]) needed.add(sha256);
    const snapshot: Snapshot | null = operation.snapshot === null ? null : JSON.parse(operation.snapshot);
    for (const { sha256 } of snapshot?.files ?? []) needed.add(sha256);
  }
  return needed;
}

/** A draft or record, the size of its files, and how much of it is on this computer, in bytes. */
export interface RecordStorage {
  id: string;
  kind: "draft" | "record";
  title: string;
  files: number;
  bytes: number;
  here: number;
  /** The part of `here` that the server does not have yet. */
  unsent: number;
}

/** Drafts and records whose files take most space here. @param most how many */
export async function listLargest(db: Db, disk: BlobStore, most: number): Promise<RecordStorage[]> {
  const needed = await neededHere(db);
  const present = new Map<string, boolean>();
  const rooms = new Map<string, RecordStorage>();
  for (const { record, kind, title, sha256, size } of await listFilePlaces(db)) {
    if (!present.has(sha256)) present.set(sha256, await disk.has(sha256));
    const room = rooms.get(record) ?? { id: record, kind, title: title ?? "", files: 0, bytes: 0, here: 0, unsent: 0 };
    rooms.set(record, room);
    room.files += 1;
    room.bytes += size;
    if (!present.get(sha256)) continue;
    room.here += size;
    if (needed.has(sha256)) room.unsent += size;
  }
  return [...rooms.values()].sort((a, b) => b.here - a.here || b.bytes - a.bytes).slice(0, most);
}

/** Copies of files on the server, which can be dropped. */
export async function listCached(db: Db, disk: BlobStore): Promise<{ sha256: string; size: number }[]> {
  return (await localFiles(db, disk)).filter(({ isCached }) => isCached);
}

async function localFiles(db: Db, disk: BlobStore) {
  const needed = await neededHere(db);
  const files: { sha256: string; size: number; isCached: boolean }[] = [];
  for (const { sha256, size } of await listFileBytes(db)) {
    if (await disk.has(sha256)) files.push({ sha256, size, isCached: !needed.has(sha256) });
  }
  return files;
}

const sum = (files: { size: number }[]): number => files.reduce((total, { size }) => total + size, 0);

export async function readStorage(db: Db, disk: BlobStore): Promise<StorageFigures> {
  const files = await localFiles(db, disk);
  const records = await readDatabaseSize(db);
  const cached = sum(files.filter(({ isCached }) => isCached));
  const unsent = sum(files.filter(({ isCached }) => !isCached));
  return { records, unsent, cached, total: records + cached + unsent };
}

/** Drops copies of what is no longer on this computer: what was withdrawn leaves it with its bytes. */
export async function dropUnreferencedCopies(db: Db, disk: BlobStore): Promise<void> {
  for (const sha256 of await listUnreferencedCopies(db)) {
    await disk.remove(sha256);
    await deleteCopy(db, sha256);
  }
}

/**
 * Drops copies of files on the server, all or those of one draft or record. Never drops bytes that only this computer
 * has.
 */
export async function freeStorage(db: Db, disk: BlobStore, record?: string): Promise<void> {
  const of = record === undefined ? undefined : new Set((await listFilePlaces(db, record)).map(({ sha256 }) => sha256));
  for (const { sha256 } of await listCached(db, disk)) {
    if (of && !of.has(sha256)) continue;
    await disk.remove(sha256);
    await deleteCopy(db, sha256);
  }
}
