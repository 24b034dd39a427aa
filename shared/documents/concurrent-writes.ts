import * as Y from "yjs";
import type { Change } from "./change.ts";
import { placeAt, positionKey } from "./layout.ts";
import {
  clearedFromDeleted,
  concurrentValue,
  isDropped,
  type Piece,
  pathTo,
  type Removal,
  readUpdate,
  removesUnseen,
  type SharedType,
} from "./yjs-internals.ts";

/** Changes of an author who had not seen others' changes, made at the same moment or while offline. */
export interface ConcurrentWrites {
  /** A removed item has only a path. */
  changes: Change[];
  /** What the author wrote into a deleted item. */
  dropped: Piece[];
  /** What the author removed from a deleted item. */
  cleared: Piece[];
}

/**
 * Applies an update. Returns the single values that its author set without having seen the current one, and the items
 * that they removed without having seen all of the content. Yjs would pick one of the values by chance and drop the
 * content. Texts merge.
 * @param isFresh the update contains only recent changes: for a removed item, it names the content that its author saw
 */
export function applyFindingConcurrent(doc: Y.Doc, update: Uint8Array, isFresh: boolean): ConcurrentWrites {
  const { pieces, deletions } = readUpdate(update);
  const concurrent: ConcurrentWrites = { changes: [], dropped: [], cleared: clearedFromDeleted(doc, deletions) };
  const removal = { deletions, isFresh };
  const note = (transaction: Y.Transaction): void => {
    concurrent.dropped = pieces.filter((piece) => isDropped(piece, transaction));
    for (const [type, keys] of transaction.changed) {
      for (const key of keys) {
        const path = key === null ? undefined : pathTo(type, key);
        const change = path && concurrentChange(type, path, transaction, removal);
        if (change) concurrent.changes.push(change);
      }
    }
  };
  // At this event, overwritten values still exist.
  doc.on("afterTransaction", note);
  Y.applyUpdate(doc, update);
  doc.off("afterTransaction", note);
  return concurrent;
}

function concurrentChange(
  type: SharedType,
  path: string[],
  transaction: Y.Transaction,
  removal: Removal,
): Change | undefined {
  const key = path.at(-1) ?? "";
  if (isSingle(path)) {
    const after = concurrentValue(type, key, transaction);
    return after === undefined ? undefined : { path, after };
  }
  const isItem = placeAt(path.slice(0, -1))?.kind === "list";
  return isItem && removesUnseen([type, key], transaction, removal, positionKey) ? { path } : undefined;
}

function isSingle(path: string[]): boolean {
  const kind = placeAt(path)?.kind;
  return kind === "scalar" || kind === "ref" || kind === "value";
}
