import type { Db, Tx } from "../database/open.ts";
import type { DraftRow, FileEntryRow } from "../database/schema.ts";
import type { Change } from "../documents/change.ts";
import type { LostValue } from "../documents/conflict.ts";
import type { DraftInput } from "../documents/draft-input.ts";
import { ownProvider } from "../identifiers/pids.schema.ts";
import type { Caller } from "../kernel/caller.ts";
import { Failure, invalidField } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import type { ObjectRef } from "../kernel/object-ref.ts";
import { isRecordId } from "../kernel/record-id.ts";
import { longSliceMs, Slices } from "../kernel/time-slice.ts";
import type { ConflictLedger } from "./conflict-ledger.service.ts";
import { draftLifeMicros } from "./draft.lifecycle.ts";
import type { DraftHas } from "./draft.reader.ts";
import {
  deleteReservedPids,
  insertDocument,
  insertDraft,
  takenIds,
  updateDocument,
  updateDraft,
} from "./draft.repository.ts";
import type { DraftContent, DraftContentService, DraftSituation } from "./draft-content.service.ts";
import type { DraftHistory, PastDocument } from "./draft-history.ts";

/** A document after an edit. */
export interface EditedDocument {
  state: Uint8Array;
  input: DraftInput;
  lost: LostValue[];
  /** The changes of the content; empty on a replica. */
  effect: Change[];
  /** The author's intended changes. */
  intended: readonly Change[];
  /** Ids of the conflicts that the author knew. */
  known?: readonly string[] | undefined;
  /** What there was of the draft before the edit, read in the same transaction. */
  has?: DraftHas | undefined;
  /** The user and open editor that save. */
  saver?: string | undefined;
  /** Vocabulary entries that the call has read. */
  entries?: DraftContent["entries"] | undefined;
}

/** An edit to store. */
export interface StoredEdit extends EditedDocument {
  /** The document before the edit. */
  before: PastDocument;
}

/** A draft after an edit, with its files. */
export interface SavedDraft {
  draft: DraftRow;
  files: FileEntryRow[];
}

/** Stores the document of a draft and derives the rows from it. */
export interface DraftStore {
  /** Inserts a draft with its first document. */
  insert(tx: Tx, draft: DraftRow, document: { epoch: number; state: Uint8Array }): Promise<void>;
  /** Stores an edited document, its conflicts and the derived row, which has a new revision. */
  save(tx: Tx, caller: Caller, draft: DraftRow, edited: StoredEdit, now: number): Promise<SavedDraft>;
}

/** The title of a draft in lists of unsent work. */
export function titleOf(row: Pick<DraftRow, "metadata">): string {
  const { title } = JSON.parse(row.metadata);
  return typeof title === "string" && title !== "" ? `“${title}”` : "an untitled draft";
}

/** What a write of a draft touches. */
export const familyOfDraft = (id: string): ObjectRef => ({ kind: "family", id, isDraftOnly: true });

/** A server creates objects under ids of its own form only. @throws Failure 400 */
export function assertRecordIds({ abilities }: Pick<Host, "abilities">, ...ids: string[]): void {
  if (abilities.decides && !ids.every(isRecordId)) throw invalidField("id", "This is no record id.");
}

/**
 * Checks that the ids of a new draft are unused. Two copies of one data folder may use the same leased id.
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
  /** Releases a reserved DOI that was removed from the draft (records 5). */
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
      const situation = await content.situationOf(tx, draft, now, edited.has);
      const { columns } = await content.read(tx, edited.input, situation, edited.entries);
      const change = {
        ...columns,
        updated: now,
        expires_at: now + draftLifeMicros,
        revision_id: draft.revision_id + 1,
      };
      await slices.next();
      await history.keep(tx, draft, edited.before, edited.saver);
      await updateDocument(tx, draft.id, edited.state);
      await updateDraft(tx, draft.id, change);
      await freeDroppedDoi(tx, situation, columns.pids);
      await conflicts.record(tx, caller, draft, { ...edited, hasConflicts: edited.has?.conflicts !== 0 }, now);
      await slices.next();
      return { draft: { ...draft, ...change }, files: situation.entries };
    },
  };
}
