import type { UploadRow } from "../database/schema.ts";
import type { Host } from "../kernel/host.ts";
import { blobGate } from "./blob-gate.ts";
import {
  deleteBlob,
  deleteRemovedFilesBefore,
  deleteUnusedBlob,
  deleteUploads,
  listForgottenContents,
  listUnusedBlobs,
  listUploadNames,
  listUploadsBefore,
} from "./upload.repository.ts";

const dayMicros = 86_400 * 1_000_000;
/** A partial upload lives that long after its last byte (records 6.4.1). */
const uploadLifeMicros = 30 * dayMicros;
/** Bytes that nothing refers to stay a while: for restored backups, and for people who change their minds. */
const graceMicros = 7 * dayMicros;
/** A file removed from a draft can be restored for that long. */
const removedLifeMicros = dayMicros;

/** Since when the sweep has found blobs unused, in microseconds UTC. */
export type UnusedBlobs = Map<string, number>;

/**
 * As `sweepBytes`, while calls are answered. A blob goes only after it was unused for a day: a backup under way may still
 * read it.
 * @param dropUpload ends and forgets a partial upload, if it is old still once nobody writes to it.
 */
export async function sweepWhileRunning(
  { db, blobs, now }: Pick<Host, "db" | "blobs" | "now">,
  unused: UnusedBlobs,
  dropUpload: (key: string, isOld: (row: UploadRow) => boolean) => Promise<void>,
): Promise<void> {
  const instant = now();
  const oldest = instant - uploadLifeMicros;
  for (const { key } of await listUploadsBefore(db, oldest)) {
    await dropUpload(key.slice("partial:".length), ({ updated }) => updated < oldest);
  }
  for (const key of await listForgottenContents(db, oldest)) await deleteUploads(db, [key]);
  await deleteRemovedFilesBefore(db, instant - removedLifeMicros);
  const found = new Set(await listUnusedBlobs(db, instant - graceMicros));
  for (const sha256 of unused.keys()) if (!found.has(sha256)) unused.delete(sha256);
  for (const sha256 of found) {
    const since = unused.get(sha256) ?? instant;
    unused.set(sha256, since);
    if (instant - since < dayMicros) continue;
    const isRemoved = await blobGate(blobs).remove(async () => {
      if (await deleteUnusedBlob(db, sha256, instant - graceMicros)) await blobs.remove(sha256);
    });
    if (isRemoved) unused.delete(sha256);
  }
}

/**
 * Removes uploads that nobody continued, bytes that no row knows, and blobs that nothing refers to. Only while no call
 * is answered: a call could be about to link the very bytes.
 */
export async function sweepBytes(host: Pick<Host, "db" | "blobs" | "now">): Promise<void> {
  const { db, blobs } = host;
  const instant = host.now();
  for (const row of await listUploadsBefore(db, instant - uploadLifeMicros)) {
    await blobs.drop(row.name);
    await deleteUploads(db, [row.key]);
  }
  const known = new Set(await listUploadNames(db));
  for (const name of await blobs.listUploads()) if (!known.has(name)) await blobs.drop(name);
  for (const key of await listForgottenContents(db, instant - uploadLifeMicros)) await deleteUploads(db, [key]);
  await deleteRemovedFilesBefore(db, instant - removedLifeMicros);
  for (const sha256 of await listUnusedBlobs(db, instant - graceMicros)) {
    await deleteBlob(db, sha256);
    await blobs.remove(sha256);
  }
}
