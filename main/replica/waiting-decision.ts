import type { Tx } from "../../shared/database/open.ts";
import { findSameDecision, updateOperation } from "../sync/operation.repository.ts";

interface Decision {
  kind: string;
  object: { kind: string; id: string };
  input: unknown;
}

/**
 * The id of the same decision that waits already; undefined if none does. The server would reject a second one.
 * @param isWish the decision is sent only while the user waits for it. An earlier wish would wait for ever and hold this
 *   one up, if the user changed something in between: it takes over what the user wants now.
 */
export async function joinWaiting(tx: Tx, decision: Decision, isWish: boolean): Promise<string | undefined> {
  const { kind, object, input } = decision;
  const waiting = await findSameDecision(tx, isWish ? { kind, object } : decision);
  if (isWish && waiting !== undefined) await updateOperation(tx, waiting, { payload: JSON.stringify(input) });
  return waiting;
}
