import type { BlobStore } from "../../shared/blobs/blob-store.ts";
import type { Db } from "../../shared/database/open.ts";
import { listOpen, listRefused } from "./operation.repository.ts";
import type { Snapshot } from "./snapshot.ts";
import { listFileBytes, readDatabaseSize } from "./storage.repository.ts";

/** Bytes on this computer by kind (hosts-and-sync 5). */
export interface StorageFigures {
  /** Records, drafts, requests, and everything to search them by. */
  records: number;
  /** Files that only this computer has: they leave it when the server has them. */
  unsent: number;
  /** Files that the server holds too: they can be dropped and come back when opened. */
  cached: number;
  total: number;
}

/** Digests that work on its way to the server, or in the tray, still needs from here. */
async function neededHere(db: Db): Promise<Set<string>> {
  const needed = new Set<string>();
  for (const operation of [...(await listOpen(db)), ...(await listRefused(db))]) {
    for (const { sha256 } of JSON.parse(operation.blobs) as { sha256: string }[]) needed.add(sha256);
    const snapshot: Snapshot | null = operation.snapshot === null ? null : JSON.parse(operation.snapshot);
    for (const { sha256 } of snapshot?.files ?? []) needed.add(sha256);
  }
  return needed;
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

/** Drops the bytes that the server holds; nothing that only this computer has is touched. */
export async function freeStorage(db: Db, disk: BlobStore): Promise<void> {
  for (const { sha256, isCached } of await localFiles(db, disk)) if (isCached) await disk.remove(sha256);
}
