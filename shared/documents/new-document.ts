import * as Y from "yjs";

/** So many removed at once are cleared away together. */
const many = 500;

/** An empty document. Its name among documents is never looked at, and chance is dear: all have the same. */
export function newDocument(): Y.Doc {
  const doc = new Y.Doc({ guid: "draft" });
  // Once more for each change, so that it comes after all others that still look at what was removed.
  doc.on("beforeObserverCalls", () => {
    doc.off("afterTransaction", clearRemoved);
    doc.on("afterTransaction", clearRemoved);
  });
  return doc;
}

/**
 * Leaves of what was removed no more than that it was there, as Yjs does after each change. Yjs moves all that follows up
 * by one for each removed item of a list: of some ten thousand items that takes seconds, whoever asks for it.
 */
function clearRemoved({ doc, deleteSet }: Y.Transaction): void {
  for (const [client, ranges] of deleteSet.clients) {
    if (ranges.reduce((sum, { len }) => sum + len, 0) < many) continue;
    for (const range of ranges) clearRange(doc, client, range);
    joinCleared(doc.store.clients.get(client) ?? []);
  }
}

function clearRange({ store }: Y.Doc, client: number, { clock, len }: { clock: number; len: number }): void {
  const structs = store.clients.get(client) ?? [];
  for (let at = Y.findIndexSS(structs, clock); at < structs.length; at += 1) {
    const struct = structs[at];
    if (struct === undefined || struct.id.clock >= clock + len) return;
    if (struct instanceof Y.Item && struct.deleted && !struct.keep) struct.gc(store, false);
  }
}

function joinCleared(structs: (Y.GC | Y.Item)[]): void {
  let kept = 0;
  for (const struct of structs) {
    const last = structs[kept - 1];
    if (last instanceof Y.GC && struct instanceof Y.GC) {
      last.mergeWith(struct);
    } else {
      structs[kept] = struct;
      kept += 1;
    }
  }
  structs.length = kept;
}
