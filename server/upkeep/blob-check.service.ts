import { rm, stat } from "node:fs/promises";
import path from "node:path";
import type { Db } from "../../shared/database/open.ts";
import { blobFile, listBlobFiles, listUploadFiles, sha256OfFile, sizeOfFile } from "./blob-files.ts";
import {
  isReplica,
  listCompletedWithoutBytes,
  listOpenUploads,
  listReferredBlobs,
} from "./blob-reference.repository.ts";
import type { Finding } from "./finding.ts";

const unusedMs = 3_600_000;

async function checkBytes(folder: string, sha256: string, size: number | null): Promise<Finding | undefined> {
  const file = blobFile(folder, sha256);
  const present = await sizeOfFile(file);
  if (present === undefined) return undefined;
  if (size !== null && present !== size) {
    return { what: `The blob ${sha256} has ${present} bytes, the database says ${size}.` };
  }
  const digest = await sha256OfFile(file);
  if (digest !== sha256) return { what: `The content of the blob ${sha256} is damaged: its sha256 is ${digest}.` };
  return undefined;
}

/** Whether the file is too old for any process to be working on it. */
async function isOld(file: string): Promise<boolean> {
  return Date.now() - (await stat(file)).mtimeMs > unusedMs;
}

async function drop(file: string, what: string, repair: boolean): Promise<Finding> {
  const finding: Finding = { what, isHarmless: true };
  if (!repair || !(await isOld(file))) return finding;
  await rm(file, { force: true });
  return { ...finding, repaired: `${what} It was removed.` };
}

/** Files that no row refers to, left by killed processes. Removed if they are older than an hour. */
async function* unreferenced(db: Db, folder: string, referred: ReadonlySet<string>, repair: boolean) {
  for await (const sha256 of listBlobFiles(folder)) {
    if (referred.has(sha256)) continue;
    yield await drop(blobFile(folder, sha256), `No row refers to the blob ${sha256}.`, repair);
  }
  const uploads = new Set(await listOpenUploads(db));
  for (const name of await listUploadFiles(folder)) {
    if (uploads.has(name)) continue;
    yield await drop(path.join(folder, "uploads", name), `No row refers to the upload ${name}.`, repair);
  }
}

/** Checks every blob against its name and its rows. Never removes bytes that a row refers to. */
export async function* checkBlobs(db: Db, folder: string, repair: boolean): AsyncGenerator<Finding> {
  const referred = await listReferredBlobs(db);
  for (const { sha256, size, isPresent } of referred) {
    const isHere = (await sizeOfFile(blobFile(folder, sha256))) !== undefined;
    if (!isHere && isPresent === 1) yield { what: `The blob ${sha256} is missing.` };
    const finding = await checkBytes(folder, sha256, size);
    if (finding) yield finding;
  }
  const known = new Set(referred.map(({ sha256 }) => sha256));
  yield* unreferenced(db, folder, known, repair);
  if (await isReplica(db)) return;
  for (const { key, owner_id } of await listCompletedWithoutBytes(db)) {
    yield { what: `The file “${key}” of ${owner_id} is marked as complete but has no content.` };
  }
}
