import type { CommitListener } from "./host.ts";
import type { ObjectRef } from "./object-ref.ts";

/** Notifies listeners in this process of commits. It is only a hint: listeners read the database. */
export function committedHints() {
  const listeners = new Set<CommitListener>();
  return {
    onCommitted(listener: CommitListener): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** @param people ids of the users whose feed the commit wrote to; a replica has no feed. */
    announce(touched: ObjectRef[], people: ReadonlySet<string> = new Set()): void {
      for (const listener of listeners) listener(touched, people);
    },
  };
}
