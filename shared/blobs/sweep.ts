import { transaction } from "../database/open.ts";
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
/** How long a partial upload is kept after its last byte (records 6.4.1). */
const uploadLifeMicros = 30 * dayMicros;
/** How long unused bytes are kept: for restored backups, and for users who change their minds. */
const graceMicros = 7 * dayMicros;
/** How long a removed file can be restored. */
const removedLifeMicros = dayMicros;

/** When the sweep first found each blob unused, in microseconds UTC. */
export type UnusedBlobs = Map<string, number>;

/**
 * As `sweepBytes`, while calls are answered. Removes a blob only after it was unused for a day, because a running
 * backup may still read it.
 * @param dropUpload deletes a partial upload if it is still old once it has no writer.
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
      // A call that links the bytes meanwhile makes one of the two transactions run again.
      const isUnused = await transaction(db, (tx) => deleteUnusedBlob(tx, sha256, instant - graceMicros));
      if (isUnused) await blobs.remove(sha256);
    });
    if (isRemoved) unused.delete(sha256);
  }
  await blobs.tidy?.();
}

/** Removes bytes of uploads without a row. Call it only while no call is answered. */
export async function dropUnknownUploads({ db, blobs }: Pick<Host, "db" | "blobs">): Promise<void> {
  const known = new Set(await listUploadNames(db));
  for (const name of await blobs.listUploads()) if (!known.has(name)) await blobs.drop(name);
}

/**
 * Removes abandoned uploads, bytes without a row, and blobs without references. Call it only while no call is answered,
 * because a call could be about to link the bytes.
 */
export async function sweepBytes(host: Pick<Host, "db" | "blobs" | "now">): Promise<void> {
  const { db, blobs } = host;
  const instant = host.now();
  for (const row of await listUploadsBefore(db, instant - uploadLifeMicros)) {
    await blobs.drop(row.name);
    await deleteUploads(db, [row.key]);
  }
  await dropUnknownUploads(host);
  for (const key of await listForgottenContents(db, instant - uploadLifeMicros)) await deleteUploads(db, [key]);
  await deleteRemovedFilesBefore(db, instant - removedLifeMicros);
  for (const sha256 of await listUnusedBlobs(db, instant - graceMicros)) {
    await deleteBlob(db, sha256);
    await blobs.remove(sha256);
  }
  await blobs.tidy?.();
}
