import type { Tx } from "../../shared/database/open.ts";
import type { ObjectRef } from "../../shared/kernel/object-ref.ts";
import { deleteBase, forgetBasePositions, listBasesWithoutPosition } from "./base.repository.ts";
import { listOverlay, reviveDelivered, updateOperation } from "./operation.repository.ts";
import { forget, recall, startNewEpoch } from "./person.repository.ts";
import { takeSnapshot } from "./snapshot.ts";

/**
 * The server was restored from a backup and has a new epoch (hosts-and-sync 4). Everything is fetched again, and
 * operations delivered in the last 30 days are sent again. The server recognises those that it still has.
 * @param cursor the cursor that the server refused; another call may have started over already.
 * @returns whether this call did.
 */
export async function startOver(tx: Tx, cursor: string | undefined): Promise<boolean> {
  if ((await recall(tx, "cursor")) !== cursor) return false;
  await forget(tx, ["cursor", "seq", "vocabularies"]);
  await startNewEpoch(tx);
  await forgetBasePositions(tx);
  await reviveDelivered(tx);
  return true;
}

/**
 * Drops the bases of objects that the restored server no longer has. Operations on them wait for the server, each with
 * a snapshot.
 * @returns the objects to rebase, and how many of them have no operation that could restore them.
 */
export async function dropVanished(tx: Tx): Promise<{ vanished: ObjectRef[]; lost: number }> {
  const vanished: ObjectRef[] = [];
  let lost = 0;
  for (const { kind, object_id } of await listBasesWithoutPosition(tx)) {
    const ref = { kind, id: object_id } as ObjectRef;
    const overlay = await listOverlay(tx, ref);
    if (overlay.length === 0) lost += 1;
    for (const operation of overlay) {
      await updateOperation(tx, operation.id, { snapshot: await takeSnapshot(tx, operation) });
    }
    await deleteBase(tx, ref);
    vanished.push(ref);
  }
  return { vanished, lost };
}
