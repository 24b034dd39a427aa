import type { Tx } from "../../shared/database/open.ts";
import { deleteOperations, findSameDecision, findUncalled } from "../sync/operation.repository.ts";

interface Decision {
  kind: string;
  object: { kind: string; id: string };
}

/**
 * Makes room for a decision that is sent only while the user waits for it. An earlier one that was never sent is
 * deleted: it refers to outdated content, and would block all later operations.
 * @returns the id of an earlier one that was sent and has no answer yet; then no second one may be added.
 */
export async function renewWish(tx: Tx, { kind, object }: Decision): Promise<string | undefined> {
  const uncalled = await findUncalled(tx, kind, object);
  if (!uncalled) return findSameDecision(tx, { kind, object });
  await deleteOperations(tx, [uncalled.id]);
  return undefined;
}
