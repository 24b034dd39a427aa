import * as Y from "yjs";
import { type Change, goneItem, idOf, outerItem, valueAt } from "./change.ts";
import type { JsonObject } from "./json.ts";
import { layout, positionKey, rootName } from "./layout.ts";
import { keyedDraft } from "./materialise.ts";
import { newDocument } from "./new-document.ts";
import { shapeProblem } from "./shape.ts";
import { isTangled } from "./tangle.ts";
import { pathTo, type SharedType } from "./unseen.ts";

/** What was written into items that are gone. */
export interface WrittenIntoGone {
  changes: Change[];
  /** A document that still has those items, with the update in it: where the next update into them is read. */
  past: Uint8Array;
}

/** Documents that are tried for one update, in bytes: opening them holds the thread. */
const mostBytes = 4 * 1024 * 1024;

/**
 * What an update says of items that `current` has no longer. Yjs drops it without a word, so it is read in a document
 * that still has such an item.
 * @param dropped what of the update could not be put anywhere
 * @param past documents in which to look, in this order
 */
export function writtenIntoGone(
  update: Uint8Array,
  dropped: readonly Y.Item[],
  current: JsonObject,
  past: Iterable<Uint8Array>,
): WrittenIntoGone | undefined {
  let left = mostBytes;
  for (const state of past) {
    const doc = newDocument();
    Y.applyUpdate(doc, state);
    Y.applyUpdate(doc, update);
    const changes = changesOf(doc, dropped, current);
    if (changes.length > 0) return { changes, past: Y.encodeStateAsUpdate(doc) };
    left -= state.length;
    if (left <= 0) return undefined;
  }
  return undefined;
}

/** Of each item that is gone, and in which something of `dropped` stands, one change with the item as it is in `doc`. */
function changesOf(doc: Y.Doc, dropped: readonly Y.Item[], current: JsonObject): Change[] {
  const changes = new Map<string, Change>();
  const keyed = keyedDraft(doc);
  for (const path of dropped.flatMap((piece) => pathsOf(doc, piece))) {
    const [gone, outer] = [goneItem(path, current), outerItem(path)];
    const item = outer && valueAt(keyed, outer);
    if (gone && item !== undefined && !changes.has(idOf(gone))) changes.set(idOf(gone), { path, item });
  }
  return [...changes.values()];
}

/** Where a piece stands in a document. Its place in a list says nothing, nor does what is gone there too. */
function pathsOf(doc: Y.Doc, { id, length }: Y.Item): string[][] {
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

/** Whether a document that a client sent as a whole can be read: a hostile one may hold the thread. */
export function isReadable(whole: Uint8Array): boolean {
  try {
    const doc = newDocument();
    if (isTangled(doc, whole)) return false;
    Y.applyUpdate(doc, whole);
    return shapeProblem(layout, doc.getMap(rootName), []) === undefined;
  } catch {
    return false;
  }
}
