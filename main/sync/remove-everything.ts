import type { DiskBlobStore } from "../../shared/blobs/disk-blob-store.ts";
import { deleteObject } from "../../shared/bundles/bundle.repository.ts";
import { type Db, type Tx, transaction } from "../../shared/database/open.ts";
import type { ObjectRef } from "../../shared/kernel/object-ref.ts";
import { deleteAllBases, listBases } from "./base.repository.ts";
import { deleteAllOperations, listObjectsWithOperations } from "./operation.repository.ts";
import { forget, startNewEpoch } from "./person.repository.ts";
import { forgetBytes } from "./storage.repository.ts";
import { deleteTraces } from "./traces.repository.ts";

const forgotten = [
  "server",
  "token",
  "user",
  "library",
  "base_url",
  "cursor",
  "seq",
  "sent",
  "last_success",
  "keeping",
  "identity",
  "copied",
  "upstream",
  "looks",
  "templates",
] as const;

/** Removes all data of the user from this computer, also unsent work. The server keeps its own. */
export async function removeEverything(options: {
  db: Db;
  /** The bytes on this computer. */
  disk: Pick<DiskBlobStore, "removeAll">;
  project(tx: Tx, touched: ObjectRef[]): Promise<void>;
}): Promise<void> {
  await transaction(options.db, async (tx) => {
    const objects = [
      ...(await listBases(tx)).map((row) => ({ kind: row.kind, id: row.object_id })),
      ...(await listObjectsWithOperations(tx)).map((row) => ({ kind: row.aggregate_kind, id: row.aggregate_id })),
    ] as ObjectRef[];
    await deleteAllOperations(tx);
    await forgetBytes(tx);
    for (const ref of objects) await deleteObject(tx, ref);
    await options.project(tx, objects);
    await deleteAllBases(tx);
    await deleteTraces(tx);
    await forget(tx, forgotten);
    // A page that is under way must not be stored.
    await startNewEpoch(tx);
  });
  await options.disk.removeAll();
}
