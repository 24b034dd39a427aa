import type { DocumentRow, DraftRow } from "../database/schema.ts";

/** The document of a draft as it was at some revision. */
export type PastDocument = Pick<DocumentRow, "epoch" | "state">;

/** What drafts were a while ago, for callers whose edits are based on it. */
export interface DraftHistory {
  /** Remembers what a draft is, just before it changes. */
  keep(draft: Pick<DraftRow, "id" | "revision_id">, document: PastDocument): void;
  find(id: string, revision: number): PastDocument | undefined;
}

const mostRevisions = 50;
const mostBytes = 32 * 1024 * 1024;

/**
 * The last 50 revisions of the drafts that were edited last, 32 MiB at most, in memory: merging is an offer, and who
 * comes later, or after a restart, gets the 412 that everybody else gets.
 */
export function draftHistory(): DraftHistory {
  /** Drafts in the order of their last edit, each with its revisions in order. */
  const drafts = new Map<string, Map<number, PastDocument>>();
  let bytes = 0;

  function drop(revisions: Map<number, PastDocument>, revision: number): void {
    bytes -= revisions.get(revision)?.state.length ?? 0;
    revisions.delete(revision);
  }

  function makeRoom(): void {
    while (bytes > mostBytes) {
      const [id, revisions] = drafts.entries().next().value ?? [];
      if (id === undefined || !revisions) return;
      for (const revision of [...revisions.keys()]) drop(revisions, revision);
      drafts.delete(id);
    }
  }

  return {
    keep({ id, revision_id }, { epoch, state }) {
      const revisions = drafts.get(id) ?? new Map<number, PastDocument>();
      drop(revisions, revision_id);
      revisions.set(revision_id, { epoch, state });
      bytes += state.length;
      const oldest = revisions.keys().next().value;
      if (revisions.size > mostRevisions && oldest !== undefined) drop(revisions, oldest);
      drafts.delete(id);
      drafts.set(id, revisions);
      makeRoom();
    },
    find: (id, revision) => drafts.get(id)?.get(revision),
  };
}
