import * as Y from "yjs";
import type { JsonObject } from "../kernel/json.ts";
import { type Change, deletedItem, idOf, outerItem, valueAt } from "./change.ts";
import { layout, positionKey, rootName } from "./layout.ts";
import { keyedDraft } from "./materialise.ts";
import { newDocument } from "./new-document.ts";
import { shapeProblem } from "./shape.ts";
import { isTooCostly } from "./update-cost.ts";
import { hasPlace, type Piece, pathsOf } from "./yjs-internals.ts";

/** Writes into items that were deleted meanwhile. */
export interface DeletedItemWrites {
  changes: Change[];
  /** A document that still has the items, with the update applied. The next update into them is read there. */
  past: Uint8Array;
}

/** How many bytes of documents are searched for one update, since opening them takes time. */
export const maxTriedBytes = 4 * 1024 * 1024;

/** Facts about an update that came without changes, and the documents in which to find deleted items. */
export interface LiveBasis {
  /** The update contains only recent changes; otherwise it may name anything ever deleted in its author's document. */
  isFresh?: boolean | undefined;
  /** The author's own document, with the update applied. */
  whole?: Uint8Array | undefined;
  /** Earlier states of the document, newest first. */
  before: Iterable<Uint8Array>;
}

/**
 * Finds what an update writes into items that `current` no longer has. Yjs drops such writes silently, so they are read in
 * a document that still has the item.
 * @param dropped the parts of the update that Yjs dropped
 * @param cleared the parts that it removes from a deleted item. Only an earlier document shows them, since the author's
 * document does not tell when they were removed.
 */
export function writesIntoDeleted(
  update: Uint8Array,
  { dropped, cleared }: { dropped: readonly Piece[]; cleared: readonly Piece[] },
  current: JsonObject,
  past: LiveBasis,
): DeletedItemWrites | undefined {
  let left = maxTriedBytes;
  let missing = cleared;
  for (const state of withWhole(past)) {
    const doc = newDocument();
    Y.applyUpdate(doc, state);
    const paths = state === past.whole ? [] : missing.flatMap((piece) => pathsOf(doc, piece, positionKey));
    if (state !== past.whole) missing = missing.filter((piece) => !hasPlace(doc, piece));
    Y.applyUpdate(doc, update);
    const changes = changesAt(
      doc,
      [...paths, ...dropped.flatMap((piece) => pathsOf(doc, piece, positionKey))],
      current,
    );
    if (changes.length > 0) return { changes, past: Y.encodeStateAsUpdate(doc) };
    left -= state.length;
    if (left <= 0 || dropped.length + missing.length === 0) return undefined;
  }
  return undefined;
}

function* withWhole({ whole, before }: LiveBasis): Iterable<Uint8Array> {
  if (whole && isReadable(whole)) yield whole;
  yield* before;
}

/** One change for each deleted item that one of the paths leads into, with the item as it is in `doc`. */
function changesAt(doc: Y.Doc, paths: readonly string[][], current: JsonObject): Change[] {
  if (paths.length === 0) return [];
  const changes = new Map<string, Change>();
  const keyed = keyedDraft(doc);
  for (const path of paths) {
    const [deleted, outer] = [deletedItem(path, current), outerItem(path)];
    const item = outer && valueAt(keyed, outer);
    if (deleted && item !== undefined && !changes.has(idOf(deleted))) changes.set(idOf(deleted), { path, item });
  }
  return [...changes.values()];
}

/** Whether a client's whole document can be read: a hostile one may block the thread. */
function isReadable(whole: Uint8Array): boolean {
  try {
    const doc = newDocument();
    if (isTooCostly(doc, whole)) return false;
    Y.applyUpdate(doc, whole);
    return shapeProblem(layout, doc.getMap(rootName), []) === undefined;
  } catch {
    return false;
  }
}
