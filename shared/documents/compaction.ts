import * as Y from "yjs";
import { clientIdOf } from "./genesis.ts";
import { rootKeys, rootName } from "./layout.ts";
import { openDocument } from "./merge.ts";
import { newDocument } from "./new-document.ts";

/** A document below this size is left alone, in bytes. */
export const smallDocumentBytes = 32 * 1024;
/** What a document may carry of its past, in sizes of what it says. */
const maxGrowth = 5;

/**
 * The document without its past: same keys of items, same places, same texts, no trace of what was there before. It is
 * another document (the epoch must go up): updates of the old one fit it no longer and are repeated by what they meant.
 * Undefined when it is not worth that: the past takes less than four fifths.
 * @param growth what a document may carry of its past, in sizes of what it says.
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
