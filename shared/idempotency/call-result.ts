import type { Tx } from "../database/open.ts";
import type { IdempotentCall } from "../kernel/call.ts";
import { Failure } from "../kernel/failure.ts";
import { updateClaimed } from "./idempotency.repository.ts";

/** 409 for a call that another run is executing. */
export const stillRunning = (): Failure =>
  new Failure("conflict", "The call with this Idempotency-Key is still running.");

/**
 * Stores the result of a command in the transaction of its effect. If the lease ended and another run has claimed the
 * call, the transaction rolls back, so that only one run takes effect.
 * @throws Failure 409
 */
export async function keepCallResult(tx: Tx, call: IdempotentCall, result: unknown): Promise<void> {
  const results = JSON.stringify([...call.results, result ?? null]);
  if (!(await updateClaimed(tx, call, { results }))) throw stillRunning();
}
