import * as Y from "yjs";
import { type Change, goneItem, idOf, outerItem, valueAt } from "./change.ts";
import type { JsonObject } from "./json.ts";
import { layout, positionKey, rootName } from "./layout.ts";
import { keyedDraft } from "./materialise.ts";
import { newDocument } from "./new-document.ts";
import { shapeProblem } from "./shape.ts";
import { isTangled } from "./tangle.ts";
import { type Piece, pathTo, type SharedType } from "./unseen.ts";

/** What was written into items that are gone. */
export interface WrittenIntoGone {
  changes: Change[];
  /** A document that still has those items, with the update in it: where the next update into them is read. */
  past: Uint8Array;
}

/** Documents that are tried for one update, in bytes: opening them takes time. */
export const mostTriedBytes = 4 * 1024 * 1024;

/** What is known of an update that came without changes, and where items that are gone are looked for. */
export interface LiveBasis {
  /** The update contains only recent changes; otherwise it may name anything ever deleted in its author's document. */
  isFresh?: boolean | undefined;
  /** The author's own document, with the update in it. */
  whole?: Uint8Array | undefined;
  /** The document as it was before, newest first. */
  before: Iterable<Uint8Array>;
}

/**
 * What an update writes into items that `current` no longer has. Yjs drops it silently, so it is read in a document
 * that still has the item.
 * @param dropped the parts of the update that have no place any more
 * @param cleared what it removes from a deleted item: found only in an earlier document, since the author's document
 * does not say when it was removed
 */
export function writtenIntoGone(
  update: Uint8Array,
  { dropped, cleared }: { dropped: readonly Piece[]; cleared: readonly Piece[] },
  current: JsonObject,
  past: LiveBasis,
): WrittenIntoGone | undefined {
  let left = mostTriedBytes;
  let sought = cleared;
  for (const state of withWhole(past)) {
    const doc = newDocument();
    Y.applyUpdate(doc, state);
    const paths = state === past.whole ? [] : sought.flatMap((piece) => pathsOf(doc, piece));
    if (state !== past.whole) sought = sought.filter((piece) => !stands(doc, piece));
    Y.applyUpdate(doc, update);
    const changes = changesAt(doc, [...paths, ...dropped.flatMap((piece) => pathsOf(doc, piece))], current);
    if (changes.length > 0) return { changes, past: Y.encodeStateAsUpdate(doc) };
    left -= state.length;
    if (left <= 0 || dropped.length + sought.length === 0) return undefined;
  }
  return undefined;
}

function* withWhole({ whole, before }: LiveBasis): Iterable<Uint8Array> {
  if (whole && isReadable(whole)) yield whole;
  yield* before;
}

/** Of each item that is gone, and in which one of these paths leads, one change with the item as it is in `doc`. */
function changesAt(doc: Y.Doc, paths: readonly string[][], current: JsonObject): Change[] {
  if (paths.length === 0) return [];
  const changes = new Map<string, Change>();
  const keyed = keyedDraft(doc);
  for (const path of paths) {
    const [gone, outer] = [goneItem(path, current), outerItem(path)];
    const item = outer && valueAt(keyed, outer);
    if (gone && item !== undefined && !changes.has(idOf(gone))) changes.set(idOf(gone), { path, item });
  }
  return [...changes.values()];
}

/** Whether a document has the place of a piece still, be it empty already. */
function stands({ store }: Y.Doc, { id }: Piece): boolean {
  return id.clock < Y.getState(store, id.client) && Y.getItem(store, id) instanceof Y.Item;
}

/** Where a piece stands in a document. Its place in a list says nothing, nor does what is gone there too. */
function pathsOf(doc: Y.Doc, { id, length }: Piece): string[][] {
  const paths: string[][] = [];
  const end = Math.min(id.clock + length, Y.getState(doc.store, id.client));
  for (let clock = id.clock; clock < end; ) {
    const part: Y.Item | Y.GC = Y.getItem(doc.store, Y.createID(id.client, clock));
    clock = part.id.clock + part.length;
    if (!(part instanceof Y.Item) || part.deleted || part.parentSub === positionKey) continue;
    const type = part.parent as SharedType;
    const holder = type._item;
    if (part.parentSub !== null) paths.push(pathTo(type, part.parentSub));
    else if (holder?.parentSub) paths.push(pathTo(holder.parent as SharedType, holder.parentSub));
  }
  return paths;
}

/** Whether items were taken out of a document: what is written into them by who has not heard of it would be dropped. */
export const hasGone = (state: Uint8Array): boolean =>
  Y.decodeUpdate(state).structs.some((struct) => struct instanceof Y.GC);

/** Whether a client names other deletions than those that a document has: not all of it was seen, or something was taken out. */
export function namesOtherDeletions(state: Uint8Array, update: Uint8Array): boolean {
  const [ours, theirs] = [Y.decodeUpdate(state).ds, Y.decodeUpdate(update).ds];
  return theirs.clients.size > 0 && !Y.equalDeleteSets(ours, theirs);
}

/** Whether a document that a client sent as a whole can be read: a hostile one may hold the thread. */
function isReadable(whole: Uint8Array): boolean {
  try {
    const doc = newDocument();
    if (isTangled(doc, whole)) return false;
    Y.applyUpdate(doc, whole);
    return shapeProblem(layout, doc.getMap(rootName), []) === undefined;
  } catch {
    return false;
  }
}
