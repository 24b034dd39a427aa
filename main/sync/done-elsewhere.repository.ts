import { deleteAccessLink } from "../../shared/access/access-link.schema.ts";
import { deleteGrant } from "../../shared/access/grant.schema.ts";
import type { Tx } from "../../shared/database/open.ts";
import { type DiscardDraft, discardDraft } from "../../shared/drafts/draft.schema.ts";
import type { ObjectRef } from "../../shared/kernel/object-ref.ts";
import type { Refusal } from "../../shared/sync-protocol/push.schema.ts";
import { waitForOthers } from "./lost-work.repository.ts";
import { type Operation, updateOperation } from "./operation.repository.ts";
import { madeBy } from "./part.policy.ts";
import { listChangesOf } from "./part.repository.ts";

/*
 * The user removed something that was removed elsewhere meanwhile, or gave access that was given elsewhere. It is as the
 * user wished, so there is nothing to decide.
 */

const removals = new Set<string>([deleteAccessLink.name, deleteGrant.name]);

/** Whether a refused operation removes something that the server does not have, or does what was done elsewhere. */
export async function isDone(tx: Tx, operation: Operation, { status, settled }: Refusal): Promise<boolean> {
  if (status === 404 && removals.has(operation.kind)) return true;
  // What changes a grant that the server has under another id waits for the user.
  return settled === true && (await listChangesOf(tx, madeBy(operation))).length === 0;
}

/** Whether an operation has nothing left to do once its object was deleted. */
export const endsWithObject = ({ kind }: Operation): boolean => kind === discardDraft.name || removals.has(kind);

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
