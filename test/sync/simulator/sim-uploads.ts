import { listOpen } from "../../../main/sync/operation.repository.ts";
import { type RefusalOptions, refuseWithout } from "../../../main/sync/refusal.ts";
import { Unreachable } from "../../../main/sync/transport.ts";
import { missingBytes } from "../../../main/sync/uploader.ts";
import type { Db } from "../../../shared/database/open.ts";
import type { MemoryBlobStore } from "../../support/memory-blob-store.ts";
import type { SimServer } from "./sim-server.ts";
import { Violation } from "./violation.ts";

interface Uploader {
  db: Db;
  blobs: MemoryBlobStore;
  userId: string;
}

/** The uploader's state since its process started. */
interface Uploading {
  arrived: Set<string>;
  work: RefusalOptions;
}

export async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/**
 * Uploads the bytes that unsent work needs. Rejects work whose bytes exist nowhere any more.
 * @returns how many blobs arrived.
 * @throws Unreachable when the connection was lost.
 */
export async function bringBytes(replica: Uploader, server: SimServer, { arrived, work }: Uploading): Promise<number> {
  const { db, blobs, userId } = replica;
  let count = 0;
  for (const operation of await listOpen(db)) {
    if (operation.state === "rejected") continue;
    for (const { sha256, size } of JSON.parse(operation.blobs) as { sha256: string; size: number }[]) {
      if (arrived.has(sha256)) continue;
      const at = await server.bytesOf(userId, sha256);
      if (!at.isComplete && !blobs.hasNow(sha256)) {
        if (!server.received.has(sha256)) throw new Violation(`I9 the only copy of the bytes ${sha256} was given up`);
        await refuseWithout(work, sha256, missingBytes());
        continue;
      }
      if (!at.isComplete) {
        const bytes = await blobs.readBytes(sha256, { start: 0, end: size });
        if (!(await server.takeBytes(userId, sha256, bytes, at.offset))) throw new Unreachable("upload cut");
      }
      arrived.add(sha256);
      server.received.add(sha256);
      count++;
    }
  }
  return count;
}
