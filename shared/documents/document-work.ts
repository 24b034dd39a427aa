import * as Y from "yjs";
import type { Change } from "./change.ts";
import { compact } from "./compaction.ts";
import type { LiveBasis } from "./deleted-items.ts";
import type { DraftInput } from "./draft-input.ts";
import { type FormerKey, formerKeys } from "./former-keys.ts";
import { genesis } from "./genesis.ts";
import { guardUpdate, maxStructsPerUpdate, type Refused, watchEdit } from "./guard.ts";
import { toInput } from "./materialise.ts";
import {
  changesOfStates,
  type EncodedChange,
  encodeChange,
  encodeValue,
  inputOf,
  intendedInput,
  type MergedChange,
  mergeChange,
  presentValues,
  readDraft,
  repeatChanges,
} from "./merge.ts";
import { countStructs } from "./update-content.ts";
import { namesOtherDeletions } from "./yjs-internals.ts";

/** An edit of the very document for which it was made, so there is nothing to merge. */
export interface OwnEdit extends EncodedChange {
  /** The content of the document after the edit. */
  input: DraftInput;
  /** Why the edit is refused. */
  refused: Refused | undefined;
}

/** How the server merges an update. */
export interface Merging {
  changes: readonly Change[];
  /** The author sent the changes with the update. An update without effect is then fine. */
  hasChanges: boolean;
  clientId: number;
  basis: LiveBasis;
}

/** The result of an update, applied alone or merged; neither when it changes nothing. */
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

/** @param merging without it, the update is applied without merging. */
function takeUpdate(state: Uint8Array, update: Uint8Array, merging?: Merging): TakenUpdate {
  const guarded = guardUpdate(state, update);
  if (!guarded.ok) return guarded;
  const { changed, state: after } = guarded;
  if (!merging) return { ok: true, changed, ...(changed ? { alone: { state: after, input: guarded.input } } : {}) };
  if (!changed && merging.hasChanges) return { ok: true, changed };
  return { ok: true, changed, merged: mergeChange(state, update, merging.changes, merging.clientId, merging.basis) };
}

/** Changes parts of a draft; of `files` only the members that `parts` has. */
function changeParts(state: Uint8Array, parts: ChangedParts, clientId: number): OwnEdit {
  const present = inputOf(state);
  return ownEdit(state, { ...present, ...parts, files: { ...present.files, ...parts.files } }, clientId);
}

export type ChangedParts = Partial<Pick<DraftInput, "access" | "pids"> & { files: Partial<DraftInput["files"]> }>;

/** The items that have another key in the first state of the published draft. */
const formerKeysIn = (state: Uint8Array, published: DraftInput): FormerKey[] => formerKeys(state, genesis(published));

/** The update that a client with this state vector needs; the whole document when the state vector is unreadable. */
function newIn(whole: Uint8Array, stateVector: Uint8Array): Uint8Array {
  if (countStructs(whole, maxStructsPerUpdate) !== undefined) return whole;
  try {
    return Y.diffUpdate(whole, stateVector);
  } catch {
    return whole;
  }
}

/** The state vector of a document, and the update for a client with the state vector `before`. */
const advance = (state: Uint8Array, before: Uint8Array): { stateVector: Uint8Array; update: Uint8Array } => ({
  stateVector: Y.encodeStateVectorFromUpdate(state),
  update: Y.diffUpdate(state, before),
});

/**
 * The work on whole documents. All of it can run in a worker thread (`document-thread.ts`), since arguments and results
 * can be copied.
 */
export const documentWork = {
  genesis,
  inputOf,
  intendedInput,
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
