import type { Tx } from "../database/open.ts";
import type { ConflictRow, DraftRow } from "../database/schema.ts";
import type { LostValue } from "../documents/conflict.ts";
import type { DraftInput } from "../documents/draft-input.ts";
import { writePath } from "../documents/path-text.ts";
import { ownProvider } from "../identifiers/pids.schema.ts";
import type { Caller } from "../kernel/caller.ts";
import type { Host } from "../kernel/host.ts";
import { draftLifeMicros } from "./draft.lifecycle.ts";
import {
  deletePids,
  findDocument,
  insertConflicts,
  insertDocument,
  insertDraft,
  listPids,
  updateDocument,
  updateDraft,
} from "./draft.repository.ts";
import type { DraftContentService } from "./draft-content.service.ts";

/** A document after an edit. */
export interface EditedDocument {
  state: Uint8Array;
  input: DraftInput;
  lost: LostValue[];
}

/** Who wrote what stands now, and who wrote before. */
type Disputants = Record<LostValue["loser"], string | null>;

/** Keeps the rows of a draft in step with its document. */
export interface DraftStore {
  /** Puts a draft there with its first document. */
  insert(tx: Tx, draft: DraftRow, document: { epoch: number; state: Uint8Array }): Promise<void>;
  /** Stores an edited document and all that follows from it; the draft has a new revision afterwards. */
  save(tx: Tx, caller: Caller, draft: DraftRow, edited: EditedDocument, now: number): Promise<DraftRow>;
}

/** The words for a draft in lists of unsent work. */
export function titleOf(row: Pick<DraftRow, "metadata">): string {
  const { title } = JSON.parse(row.metadata);
  return typeof title === "string" && title !== "" ? `“${title}”` : "an untitled draft";
}

export function draftStore({ host, content }: { host: Host; content: DraftContentService }): DraftStore {
  /** A reserved DOI that the draft no longer has is free again (records 5). */
  async function freeDroppedDoi(tx: Tx, draft: DraftRow, pids: string): Promise<void> {
    const kept: string | undefined = JSON.parse(pids).doi?.provider;
    if (kept === ownProvider) return;
    const isReserved = (await listPids(tx, draft.id)).some(({ state }) => state === "reserved");
    if (isReserved) await deletePids(tx, draft.id);
  }

  const conflictRow = (draft: DraftRow, lost: LostValue, people: Disputants, now: number): ConflictRow => ({
    id: host.newUuid(),
    user_id: people[lost.loser] ?? "",
    parent_id: draft.parent_id,
    draft_id: draft.id,
    path: writePath(lost.path),
    mine: JSON.stringify(lost.mine),
    theirs: JSON.stringify(lost.theirs ?? null),
    theirs_by: people[lost.loser === "author" ? "earlier" : "author"],
    created: now,
  });

  return {
    async insert(tx, draft, document) {
      await insertDraft(tx, draft);
      await insertDocument(tx, { draft_id: draft.id, parent_id: draft.parent_id, editor_id: null, ...document });
    },
    async save(tx, caller, draft, edited, now) {
      const situation = await content.situationOf(tx, draft, now);
      const { columns } = await content.read(tx, edited.input, situation);
      const change = {
        ...columns,
        updated: now,
        expires_at: now + draftLifeMicros,
        revision_id: draft.revision_id + 1,
      };
      const earlier = (await findDocument(tx, draft.id))?.editor_id ?? caller.userId;
      await updateDocument(tx, draft.id, { state: edited.state, editor_id: caller.userId });
      await updateDraft(tx, draft.id, change);
      await freeDroppedDoi(tx, draft, columns.pids);
      await insertConflicts(
        tx,
        edited.lost.map((lost) => conflictRow(draft, lost, { author: caller.userId, earlier }, now)),
      );
      return { ...draft, ...change };
    },
  };
}
