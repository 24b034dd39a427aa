import { AsyncLocalStorage } from "node:async_hooks";

const scope = new AsyncLocalStorage<{ open: boolean }>();

/** Whether a transaction is open on this asynchronous path. */
export const isWithinTransaction = (): boolean => scope.getStore()?.open === true;

/**
 * Throws when a transaction is open on this asynchronous path: its queries must use `tx`. Waiting here for the only
 * connection would be a deadlock.
 */
export function assertOutsideTransaction(): void {
  if (isWithinTransaction()) {
    throw new Error("the pool was used inside a transaction: pass `tx` to everything called within");
  }
}

/** Runs the work of a transaction in a scope that `assertOutsideTransaction` checks. */
export async function withinTransaction<T>(work: () => Promise<T>): Promise<T> {
  const mark = { open: true };
  try {
    return await scope.run(mark, work);
  } finally {
    mark.open = false;
  }
}
