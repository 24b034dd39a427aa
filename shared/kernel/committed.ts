import type { CommitListener } from "./host.ts";
import type { ObjectRef } from "./object-ref.ts";

/** Notifies listeners of commits. It is only a hint: listeners read the database. */
export interface CommitHints {
  onCommitted(listener: CommitListener): () => void;
  /** @param people ids of the users whose feed the commit wrote to; a replica has no feed. */
  announce(touched: ObjectRef[], people?: ReadonlySet<string>): void;
}

/** Notifies listeners in this process. */
export function committedHints(): CommitHints {
  const listeners = new Set<CommitListener>();
  return {
    onCommitted(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    announce(touched, people = new Set()) {
      for (const listener of listeners) listener(touched, people);
    },
  };
}
