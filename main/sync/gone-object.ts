import type { Tx } from "../../shared/database/open.ts";
import type { Host } from "../../shared/kernel/host.ts";
import type { ObjectRef } from "../../shared/kernel/object-ref.ts";
import type { Clocks } from "./clocks.ts";
import { endDone } from "./done-elsewhere.repository.ts";
import { endsWithObject } from "./done-elsewhere.ts";
import { goneReasons } from "./gone-reasons.ts";
import { listOverlay, markDelivered, updateOperation } from "./operation.repository.ts";
import { endWithDeleted, waitWithFile, wasDelivered } from "./refusal.ts";
import { takeSnapshot } from "./snapshot.ts";

type Gone = ObjectRef & { state: keyof typeof goneReasons };

/** Rejects unsent operations on an object that is gone. The user finds them in the tray. */
export async function refuseOverlay(host: Host, tx: Tx, { state, ...ref }: Gone, clocks: Clocks): Promise<void> {
  const reason = goneReasons[state];
  for (const operation of await listOverlay(tx, ref)) {
    if (operation.state === "applied") await markDelivered(tx, [operation.id], clocks);
    else if (state === "deleted" && endsWithObject(operation)) await endDone(tx, operation);
    else {
      const snapshot = await takeSnapshot(tx, operation);
      if (await endWithDeleted(tx, operation, snapshot)) continue;
      if (await waitWithFile(host, tx, operation, snapshot)) continue;
      const delivered = wasDelivered(operation) ? operation.delivered : null;
      const refused = host.now();
      await updateOperation(tx, operation.id, { state: "rejected", reason, refused, snapshot, delivered });
    }
  }
}
