import type { Host } from "../kernel/host.ts";
import {
  deleteBlob,
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
  for (const sha256 of await listUnusedBlobs(db, instant - graceMicros)) {
    await deleteBlob(db, sha256);
    await blobs.remove(sha256);
  }
}
