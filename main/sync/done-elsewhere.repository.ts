import type { Tx } from "../../shared/database/open.ts";
import { type DiscardDraft, discardDraft } from "../../shared/drafts/draft.schema.ts";
import type { ObjectRef } from "../../shared/kernel/object-ref.ts";
import { waitForOthers } from "./lost-work.repository.ts";
import { type Operation, updateOperation } from "./operation.repository.ts";

/** Whether the draft cannot come back under its id, other than the edit of a record. */
const isOfOneDraft = ({ kind, payload }: Operation): boolean =>
  kind === discardDraft.name && (JSON.parse(payload) as DiscardDraft).published === undefined;

/**
 * Ends an operation that is done. It counts as delivered, so a restored server gets it again. One that a restored server
 * refuses waits for what it removes.
 */
export async function endDone(tx: Tx, operation: Operation): Promise<void> {
  const { id, created, delivered } = operation;
  if (isOfOneDraft(operation) || delivered !== null) await waitForOthers(tx, operation);
  else await updateOperation(tx, id, { state: "delivered", delivered: created, delivered_here: created });
  await updateOperation(tx, id, { refused: null, server: null });
}

/** Ends the rejected discards of a draft that was deleted: the tray asks for a decision that nobody needs. */
export async function endRejectedDiscards(tx: Tx, { kind, id }: ObjectRef): Promise<void> {
  const discards = await tx
    .selectFrom("operation")
    .selectAll()
    .where("aggregate_kind", "=", kind)
    .where("aggregate_id", "=", id)
    .where("kind", "=", discardDraft.name)
    .where("state", "=", "rejected")
    .execute();
  for (const operation of discards) await endDone(tx, operation);
}
