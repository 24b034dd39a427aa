import * as Y from "yjs";
import type { Change } from "./change.ts";
import { compact } from "./compaction.ts";
import type { DraftInput } from "./draft-input.ts";
import { type FormerKey, formerKeys } from "./former-keys.ts";
import { genesis } from "./genesis.ts";
import { type LiveBasis, namesOtherDeletions } from "./gone.ts";
import { guardUpdate, maxStructsPerUpdate, type Refused, watchEdit } from "./guard.ts";
import { toInput } from "./materialise.ts";
import {
  changesOfStates,
  type EncodedChange,
  encodeChange,
  encodeValue,
  inputMeant,
  inputOf,
  type MergedChange,
  mergeChange,
  presentValues,
  readDraft,
  repeatChanges,
} from "./merge.ts";
import { countStructs } from "./update-content.ts";

/** An edit of the document that it was made for, which is then as it was meant: there is nothing to merge. */
export interface OwnEdit extends EncodedChange {
  /** What the document says after it. */
  input: DraftInput;
  /** Why it cannot be made. */
  refused: Refused | undefined;
}

/** How an update is merged where the truth is kept. */
export interface Merging {
  changes: readonly Change[];
  /** Its author said what it changes: if that stands already, all is well. */
  isTold: boolean;
  clientId: number;
  basis: LiveBasis;
}

/** What an update makes of a document, alone or merged; neither when it changes nothing. */
export type TakenUpdate =
  | Refused
  | { ok: true; changed: boolean; alone?: { state: Uint8Array; input: DraftInput }; merged?: MergedChange };

function ownEdit(state: Uint8Array, next: DraftInput, clientId: number): OwnEdit {
  const read = readDraft(state);
  const refusal = watchEdit(read.doc);
  const encoded = encodeChange(read, next, clientId);
  const refused = encoded.update === null ? undefined : refusal(encoded.update, encoded.state);
  return { ...encoded, input: toInput(read.doc), refused };
}

/** @param merging left out: the update is taken as it is. */
function takeUpdate(state: Uint8Array, update: Uint8Array, merging?: Merging): TakenUpdate {
  const guarded = guardUpdate(state, update);
  if (!guarded.ok) return guarded;
  const { changed, state: after } = guarded;
  if (!merging) return { ok: true, changed, ...(changed ? { alone: { state: after, input: guarded.input } } : {}) };
  if (!changed && merging.isTold) return { ok: true, changed };
  return { ok: true, changed, merged: mergeChange(state, update, merging.changes, merging.clientId, merging.basis) };
}

/** Makes parts of a draft say something else; of `files` only what is named. */
function changeParts(state: Uint8Array, parts: ChangedParts, clientId: number): OwnEdit {
  const said = inputOf(state);
  return ownEdit(state, { ...said, ...parts, files: { ...said.files, ...parts.files } }, clientId);
}

export type ChangedParts = Partial<Pick<DraftInput, "access" | "pids"> & { files: Partial<DraftInput["files"]> }>;

/** The items that have another key in the first state of what a draft was published as. */
const formerKeysIn = (state: Uint8Array, published: DraftInput): FormerKey[] => formerKeys(state, genesis(published));

/** What one document has and another, with this state vector, has not. One that cannot be read is answered as it is. */
function newIn(whole: Uint8Array, stateVector: Uint8Array): Uint8Array {
  if (countStructs(whole, maxStructsPerUpdate) !== undefined) return whole;
  try {
    return Y.diffUpdate(whole, stateVector);
  } catch {
    return whole;
  }
}

/** The state vector of a document, and the update that brings one with the state vector `before` up to date. */
const advance = (state: Uint8Array, before: Uint8Array): { stateVector: Uint8Array; update: Uint8Array } => ({
  stateVector: Y.encodeStateVectorFromUpdate(state),
  update: Y.diffUpdate(state, before),
});

/**
 * What is done with whole documents. All of it can be done in another thread (`document-thread.ts`): what is given and
 * what comes out can be copied.
 */
export const documentWork = {
  genesis,
  inputOf,
  inputMeant,
  presentValues,
  changesOfStates,
  ownEdit,
  encodeValue,
  changeParts,
  guardUpdate: (state: Uint8Array, update: Uint8Array) => takeUpdate(state, update),
  takeUpdate,
  repeatChanges,
  formerKeysIn,
  compact: (state: Uint8Array): Uint8Array | undefined => compact(state),
  newIn,
  advance,
  namesOtherDeletions,
  stateVector: (state: Uint8Array): Uint8Array => Y.encodeStateVectorFromUpdate(state),
  diffUpdate: (state: Uint8Array, stateVector: Uint8Array): Uint8Array => Y.diffUpdate(state, stateVector),
};
