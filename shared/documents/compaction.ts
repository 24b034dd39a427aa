import * as Y from "yjs";
import { clientIdOf } from "./genesis.ts";
import { rootKeys, rootName } from "./layout.ts";
import { openDocument } from "./merge.ts";
import { newDocument } from "./new-document.ts";

/** Smaller documents are not compacted, in bytes. */
export const smallDocumentBytes = 32 * 1024;
/** The largest ratio of a document's size to the size of its content alone. */
const maxGrowth = 5;

/**
 * The document without its history: the same keys, positions and texts. It is a new document, so the epoch must rise.
 * Updates of the old document do not fit any more and are repeated by path.
 * @param growth the largest ratio of the document's size to that of its content.
 * @returns undefined when the history is too small to be worth it.
 */
export function compact(state: Uint8Array, growth = maxGrowth): Uint8Array | undefined {
  const old = openDocument(state).getMap<unknown>(rootName);
  const doc = newDocument();
  doc.clientID = clientIdOf(`compact\n${JSON.stringify(old.toJSON())}`);
  const root = doc.getMap<unknown>(rootName);
  doc.transact(() => {
    for (const key of rootKeys) {
      const part = old.get(key);
      root.set(key, part instanceof Y.Map ? part.clone() : part);
    }
  });
  const fresh = Y.encodeStateAsUpdate(doc);
  return fresh.length * growth <= state.length ? fresh : undefined;
}
