import type { Db, Tx } from "../database/open.ts";
import type { DraftRow } from "../database/schema.ts";
import type { Change } from "../documents/change.ts";
import type { LostValue } from "../documents/conflict.ts";
import type { DraftInput } from "../documents/draft-input.ts";
import { ownProvider } from "../identifiers/pids.schema.ts";
import type { Caller } from "../kernel/caller.ts";
import { Failure } from "../kernel/failure.ts";
import { longSliceMs, Slices } from "../kernel/time-slice.ts";
import type { ConflictLedger } from "./conflict-ledger.service.ts";
import { draftLifeMicros } from "./draft.lifecycle.ts";
import {
  deleteReservedPids,
  insertDocument,
  insertDraft,
  takenIds,
  updateDocument,
  updateDraft,
} from "./draft.repository.ts";
import type { DraftContentService, DraftSituation } from "./draft-content.service.ts";
import type { DraftHistory, PastDocument } from "./draft-history.ts";

/** A document after an edit. */
export interface EditedDocument {
  state: Uint8Array;
  input: DraftInput;
  lost: LostValue[];
  /** What became different; on a replica nothing is said of it. */
  effect: Change[];
  /** What the author meant to change. */
  meant: readonly Change[];
  /** Conflicts that the author knew of, by id. */
  known?: readonly string[] | undefined;
}

/** An edit on its way into the draft. */
export interface StoredEdit extends EditedDocument {
  /** The document before it. */
  before: PastDocument;
}

/** Keeps the rows of a draft in step with its document. */
export interface DraftStore {
  /** Puts a draft there with its first document. */
  insert(tx: Tx, draft: DraftRow, document: { epoch: number; state: Uint8Array }): Promise<void>;
  /** Stores an edited document and all that follows from it; the draft has a new revision afterwards. */
  save(tx: Tx, caller: Caller, draft: DraftRow, edited: StoredEdit, now: number): Promise<DraftRow>;
}

/** The words for a draft in lists of unsent work. */
export function titleOf(row: Pick<DraftRow, "metadata">): string {
  const { title } = JSON.parse(row.metadata);
  return typeof title === "string" && title !== "" ? `“${title}”` : "an untitled draft";
}

/**
 * Ids are leased: this happens where two go on from one copy of a data folder.
 * @throws Failure 409 with the ids that are `taken`.
 */
export async function assertFreeIds(db: Db, id: string, parentId: string): Promise<void> {
  const taken = await takenIds(db, id, parentId);
  if (taken.length === 0) return;
  throw new Failure("conflict", `The id ${taken.join(" and ")} is taken already.`, { extra: { taken } });
}

export interface DraftStoreNeeds {
  content: DraftContentService;
  conflicts: ConflictLedger;
  history: DraftHistory;
}

export function draftStore({ content, conflicts, history }: DraftStoreNeeds): DraftStore {
  /** A reserved DOI that the draft no longer has is free again (records 5). */
  async function freeDroppedDoi(tx: Tx, { id, isReserved }: DraftSituation, pids: string): Promise<void> {
    const kept: string | undefined = JSON.parse(pids).doi?.provider;
    if (kept !== ownProvider && isReserved) await deleteReservedPids(tx, id);
  }

  return {
    async insert(tx, draft, document) {
      await insertDraft(tx, draft);
      await insertDocument(tx, { draft_id: draft.id, parent_id: draft.parent_id, ...document });
    },
    async save(tx, caller, draft, edited, now) {
      const slices = new Slices(longSliceMs);
      const situation = await content.situationOf(tx, draft, now);
      const { columns } = await content.read(tx, edited.input, situation);
      const change = {
        ...columns,
        updated: now,
        expires_at: now + draftLifeMicros,
        revision_id: draft.revision_id + 1,
      };
      await slices.next();
      history.keep(draft, edited.before);
      await updateDocument(tx, draft.id, edited.state);
      await updateDraft(tx, draft.id, change);
      await freeDroppedDoi(tx, situation, columns.pids);
      await conflicts.record(tx, caller, draft, edited, now);
      await slices.next();
      return { ...draft, ...change };
    },
  };
}
