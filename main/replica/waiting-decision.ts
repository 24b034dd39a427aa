import type { Tx } from "../../shared/database/open.ts";
import { deleteOperations, findSameDecision, findUncalled } from "../sync/operation.repository.ts";

interface Decision {
  kind: string;
  object: { kind: string; id: string };
}

/**
 * A decision that is sent only while the user waits for it. An earlier one that was never sent gives way: it says what
 * the user saw then, and would hold up all that the user did since.
 * @returns the id of an earlier one that was sent and has no answer yet: there is no second one beside it.
 */
export async function renewWish(tx: Tx, { kind, object }: Decision): Promise<string | undefined> {
  const uncalled = await findUncalled(tx, kind, object);
  if (!uncalled) return findSameDecision(tx, { kind, object });
  await deleteOperations(tx, [uncalled.id]);
  return undefined;
}
