import * as Y from "yjs";
import { type Change, changesBetween, goneItem } from "./change.ts";
import type { JsonObject } from "./json.ts";
import { keyedDraft } from "./materialise.ts";
import { newDocument } from "./new-document.ts";

/** What was written into items that are gone. */
export interface WrittenIntoGone {
  changes: Change[];
  /** An earlier document with the update in it: where the next update into the same item is read. */
  past: Uint8Array;
}

/** Earlier documents that are tried for one update, in bytes: opening them holds the thread. */
const mostBytes = 4 * 1024 * 1024;

/**
 * What an update says of items that `current` has no longer. Yjs drops it without a word, so it is read in the newest of
 * the documents of before (`past`, newest first) that still has such an item.
 */
export function writtenIntoGone(
  update: Uint8Array,
  current: JsonObject,
  past: Iterable<Uint8Array>,
): WrittenIntoGone | undefined {
  let left = mostBytes;
  for (const state of past) {
    left -= state.length;
    if (left < 0) return undefined;
    const doc = newDocument();
    Y.applyUpdate(doc, state);
    const before = keyedDraft(doc);
    Y.applyUpdate(doc, update);
    const changes = changesBetween(before, keyedDraft(doc)).filter(({ path }) => goneItem(path, current));
    if (changes.length > 0) return { changes, past: Y.encodeStateAsUpdate(doc) };
  }
  return undefined;
}
