import type { ObjectRef } from "./host.ts";

/** Tells listeners in this process what was committed. A hint only: truth is in the database. */
export function committedHints() {
  const listeners = new Set<(touched: ObjectRef[]) => void>();
  return {
    onCommitted(listener: (touched: ObjectRef[]) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    announce(touched: ObjectRef[]): void {
      for (const listener of listeners) listener(touched);
    },
  };
}
