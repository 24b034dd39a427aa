import { deleteAccessLink } from "../../shared/access/access-link.schema.ts";
import { createGrants, deleteGrant } from "../../shared/access/grant.schema.ts";
import type { Tx } from "../../shared/database/open.ts";
import { discardDraft } from "../../shared/drafts/draft.schema.ts";
import { deleteReview } from "../../shared/requests/request.schema.ts";
import type { Refusal } from "../../shared/sync-protocol/push.schema.ts";
import type { Operation } from "./operation.repository.ts";
import { madeBy } from "./part.policy.ts";
import { listChangesOf } from "./part.repository.ts";

/*
 * The user removed something that was removed elsewhere meanwhile, or gave access that was given elsewhere. It is as the
 * user wished, so there is nothing to decide.
 */

const removals = new Set<string>([deleteAccessLink.name, deleteGrant.name]);

/** What the server calls settled. No other work ends by a word of the server. */
const settling = new Set<string>([createGrants.name, deleteReview.name, discardDraft.name]);

/** Whether a refused operation removes something that the server does not have, or does what was done elsewhere. */
export async function isDone(tx: Tx, operation: Operation, { status, settled }: Refusal): Promise<boolean> {
  if (status === 404 && removals.has(operation.kind)) return true;
  if (settled !== true || !settling.has(operation.kind)) return false;
  // What changes a grant that the server has under another id waits for the user.
  return (await listChangesOf(tx, madeBy(operation))).length === 0;
}

/** Whether an operation has nothing left to do once its object was deleted. */
export const endsWithObject = ({ kind }: Operation): boolean => kind === discardDraft.name || removals.has(kind);
