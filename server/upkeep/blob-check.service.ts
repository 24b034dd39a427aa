import type { Db } from "../../shared/database/open.ts";
import {
  isReplica,
  listCompletedWithoutBytes,
  listOpenUploads,
  listReferredBlobs,
  type ReferredBlob,
} from "./blob-reference.repository.ts";
import type { CheckedBytes, Leftover } from "./checked-bytes.ts";
import type { Finding } from "./finding.ts";

async function checkBytes(bytes: CheckedBytes, blob: ReferredBlob): Promise<Finding | undefined> {
  const { sha256, size, isPresent } = blob;
  const present = await bytes.sizeOf(sha256);
  if (present === undefined) return isPresent === 1 ? { what: `The blob ${sha256} is missing.` } : undefined;
  if (size !== null && present !== size) {
    return { what: `The blob ${sha256} has ${present} bytes, the database says ${size}.` };
  }
  const digest = await bytes.digestOf(sha256);
  if (digest !== sha256) return { what: `The content of the blob ${sha256} is damaged: its sha256 is ${digest}.` };
  return undefined;
}

/** What killed processes left is removed if no process can be working on it. */
async function drop({ what, isOld, remove }: Leftover, repair: boolean): Promise<Finding> {
  const finding: Finding = { what: `No row refers to ${what}.`, isHarmless: true };
  if (!repair || !isOld) return finding;
  await remove();
  return { ...finding, repaired: `${finding.what} It was removed.` };
}

/** Checks every blob against its name and its rows. Never removes bytes that a row refers to. */
export async function* checkBlobs(db: Db, bytes: CheckedBytes, repair: boolean): AsyncGenerator<Finding> {
  const referred = await listReferredBlobs(db);
  for (const blob of referred) {
    const finding = await checkBytes(bytes, blob);
    if (finding) yield finding;
  }
  const known = new Set(referred.map(({ sha256 }) => sha256));
  const uploads = new Set((await listOpenUploads(db)).map(({ name }) => name));
  for await (const leftover of bytes.listLeftovers(known, uploads)) yield await drop(leftover, repair);
  if (await isReplica(db)) return;
  for (const { key, owner_id } of await listCompletedWithoutBytes(db)) {
    yield { what: `The file “${key}” of ${owner_id} is marked as complete but has no content.` };
  }
}
