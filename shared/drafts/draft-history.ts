import { createHash } from "node:crypto";
import type { Db, Tx } from "../database/open.ts";
import type { DocumentRow, DraftRow } from "../database/schema.ts";
import { maxTriedBytes } from "../documents/deleted-items.ts";
import { holds } from "../documents/merge.ts";
import type { HostAbilities } from "../kernel/host-abilities.ts";

/** The document of a draft at an earlier revision. */
export type PastDocument = Pick<DocumentRow, "epoch" | "state">;

/** An earlier document, and whether the caller has saved since (web 5). */
export type FoundPast = PastDocument & { isOvertaken: boolean };

/** A document in memory. */
type KeptDocument = PastDocument & { saver?: string | undefined };

/** Earlier states of drafts, for callers whose edits are based on them. */
export interface DraftHistory {
  /**
   * Stores the state of a draft just before it changes.
   * @param saver the user and open editor whose save changes it.
   */
  keep(tx: Tx, draft: Pick<DraftRow, "id" | "revision_id">, document: PastDocument, saver?: string): Promise<void>;
  /**
   * Stores the state of a draft that was shown. On a replica, where one revision number may have different contents, only
   * these states count: the first one under a number, while later ones under it contain all of it.
   * @returns on a replica, the name of the document (see `stateName`), by which it can be found too.
   */
  shown(draft: Pick<DraftRow, "id" | "revision_id">, document: PastDocument): string | undefined;
  /** @param saver the user and open editor whose save is based on it. */
  find(db: Db, id: string, revision: number, saver?: string): Promise<FoundPast | undefined>;
  /** On a replica, the state that was shown under this name (see `stateName`). */
  findState(id: string, name: string): PastDocument | undefined;
  /** Earlier documents of an epoch, newest first, up to the number of bytes that a merge searches. */
  before(tx: Tx, id: string, epoch: number): Promise<Uint8Array[]>;
  /** Stores a document that was never shown, as the newest earlier one. */
  keepAside(tx: Tx, id: string, document: PastDocument): Promise<void>;
}

/** A unique name of a document, for replicas, where revision numbers are provisional. */
export const stateName = (state: Uint8Array): string => createHash("sha256").update(state).digest("hex").slice(0, 32);

/** The number for documents that were never shown; no revision has it. */
export const aside = -1;

export const maxRevisions = 50;
const maxBytes = 32 * 1024 * 1024;

/**
 * For a host that is one process: the last 50 revisions of recently edited drafts in memory, 32 MiB at most. An edit based on an older revision, or one
 * before a restart, is refused with 412.
 */
export function memoryDraftHistory({ numbersRevisions }: HostAbilities): DraftHistory {
  /** Drafts in the order of their last edit, each with its revisions in order. */
  const drafts = new Map<string, Map<number | string, KeptDocument>>();
  let bytes = 0;

  function drop(revisions: Map<number | string, KeptDocument>, revision: number | string): void {
    bytes -= revisions.get(revision)?.state.length ?? 0;
    revisions.delete(revision);
  }

  function makeRoom(): void {
    while (bytes > maxBytes) {
      const [id, revisions] = drafts.entries().next().value ?? [];
      if (id === undefined || !revisions) return;
      for (const revision of [...revisions.keys()]) drop(revisions, revision);
      drafts.delete(id);
    }
  }

  function remember(id: string, revision: number | string, { epoch, state, saver }: KeptDocument): void {
    const revisions = drafts.get(id) ?? new Map<number | string, KeptDocument>();
    drop(revisions, revision);
    revisions.set(revision, { epoch, state, saver });
    bytes += state.length;
    const oldest = revisions.keys().next().value;
    if (revisions.size > maxRevisions && oldest !== undefined) drop(revisions, oldest);
    drafts.delete(id);
    drafts.set(id, revisions);
    makeRoom();
  }

  return {
    async keep(_tx, { id, revision_id }, { epoch, state }, saver) {
      if (numbersRevisions) remember(id, revision_id, { epoch, state, saver });
    },
    shown({ id, revision_id }, document) {
      if (numbersRevisions) return undefined;
      const name = stateName(document.state);
      remember(id, name, document);
      const revisions = drafts.get(id);
      const before = revisions?.get(revision_id);
      if (!revisions || !before) remember(id, revision_id, document);
      else if (before.epoch !== document.epoch || !holds(document.state, before.state)) drop(revisions, revision_id);
      return name;
    },
    async find(_db, id, revision, saver) {
      const revisions = drafts.get(id);
      const found = revisions?.get(revision);
      if (!revisions || !found) return undefined;
      const later = [...revisions].filter(([place]) => typeof place === "number" && place >= revision);
      return { ...found, isOvertaken: saver !== undefined && later.some(([, kept]) => kept.saver === saver) };
    },
    findState: (id, name) => drafts.get(id)?.get(name),
    async before(_tx, id, epoch) {
      let bytes = 0;
      const isTried = ({ length }: Uint8Array): boolean => {
        bytes += length;
        return bytes - length < maxTriedBytes;
      };
      const past = [...(drafts.get(id)?.values() ?? [])].reverse();
      return past.filter((one) => one.epoch === epoch).flatMap(({ state }) => (isTried(state) ? [state] : []));
    },
    keepAside: async (_tx, id, document) => remember(id, aside, document),
  };
}
