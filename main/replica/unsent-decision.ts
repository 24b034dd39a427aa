import type { Tx } from "../../shared/database/open.ts";
import { deleteOperations, findSameDecision, findWithoutAttempt } from "../sync/operation.repository.ts";

interface Decision {
  kind: string;
  object: { kind: string; id: string };
}

/**
 * Deletes an earlier decision of the same kind on the object, if it was never sent. It refers to outdated content, and
 * would block all later operations.
 * @returns the id of an earlier decision that was sent and has no answer yet. Then no second one may be added.
 */
export async function replaceUnsentDecision(tx: Tx, { kind, object }: Decision): Promise<string | undefined> {
  const unsent = await findWithoutAttempt(tx, kind, object);
  if (!unsent) return findSameDecision(tx, { kind, object });
  await deleteOperations(tx, [unsent.id]);
  return undefined;
}
