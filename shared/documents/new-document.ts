import * as Y from "yjs";

/** From this many removed items on, they are cleared together. */
const many = 500;

/** An empty document. Nobody reads the `guid`, and random ones cost time, so all documents have the same. */
export function newDocument(): Y.Doc {
  const doc = new Y.Doc({ guid: "draft" });
  // Registered again for each change, so that it runs after all listeners that still read the removed items.
  doc.on("beforeObserverCalls", () => {
    doc.off("afterTransaction", clearRemoved);
    doc.on("afterTransaction", clearRemoved);
  });
  return doc;
}

/**
 * Replaces removed items by tombstones, as Yjs does after each change, but together. Yjs shifts all following items for
 * each one, which takes seconds for ten thousand items.
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
