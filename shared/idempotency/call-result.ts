import type { Tx } from "../database/open.ts";
import type { IdempotentCall } from "../kernel/call.ts";
import { Failure } from "../kernel/failure.ts";
import { updateClaimed } from "./idempotency.repository.ts";

/** 409 for a call that another run carries out. */
export const stillRunning = (): Failure =>
  new Failure("conflict", "The call with this Idempotency-Key is still running.");

/**
 * Keeps the result of a command beside its effect. A run whose lease ended may have lost the call to another one: its
 * effect is taken back with the transaction, so that one of them alone counts.
 * @throws Failure 409
 */
export async function keepCallResult(tx: Tx, call: IdempotentCall, result: unknown): Promise<void> {
  const results = JSON.stringify([...call.results, result ?? null]);
  if (!(await updateClaimed(tx, call, { results }))) throw stillRunning();
}
