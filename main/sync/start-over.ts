import type { Tx } from "../../shared/database/open.ts";
import type { ObjectRef } from "../../shared/kernel/host.ts";
import { deleteBase, forgetBasePositions, listBasesWithoutPosition } from "./base.repository.ts";
import { listOverlay, reviveDelivered, updateOperation } from "./operation.repository.ts";
import { beginAnotherLife, forget, recall } from "./person.repository.ts";
import { takeSnapshot } from "./snapshot.ts";

/**
 * The server lives another life: it was restored from a backup (hosts-and-sync 4). Everything is fetched anew, and what
 * was delivered in the last 30 days is to be sent again; the server knows what it still has.
 * @param cursor the one that the server refused; another call may have started over already.
 * @returns whether this call did.
 */
export async function startOver(tx: Tx, cursor: string): Promise<boolean> {
  if ((await recall(tx, "cursor")) !== cursor) return false;
  await forget(tx, ["cursor", "seq", "vocabularies"]);
  await beginAnotherLife(tx);
  await forgetBasePositions(tx);
  await reviveDelivered(tx);
  return true;
}

/**
 * After everything was fetched anew: takes away the confirmed state of what the server does not have any more. Work on
 * it waits for the server's word; what the person saw is kept beside it.
 * @returns the objects, to be rebased, and how many of them no work of the person may bring back.
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
