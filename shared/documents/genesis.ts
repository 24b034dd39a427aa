import { digest } from "lib0/hash/sha256";
import * as Y from "yjs";
import type { JsonObject } from "../kernel/json.ts";
import { fieldsProtocolVersion } from "../sync-protocol/protocol-version.ts";
import { build } from "./build.ts";
import { canonical, type DraftInput } from "./draft-input.ts";
import { layout, rootName } from "./layout.ts";
import { newDocument } from "./new-document.ts";

/** Name of this way of making the first state. Another way needs another name, so that their documents never mix. */
const genesisAlgorithm = `g${fieldsProtocolVersion}`;

/**
 * The first state of a draft's document. The same input gives the same bytes everywhere, so that two replicas that start
 * an edit of one record can merge. The client id is a hash of the content, so documents with different content never
 * share one.
 */
export function genesis(input: DraftInput): Uint8Array {
  const draft = canonical(input);
  const doc = newDocument();
  doc.clientID = clientIdOf(JSON.stringify(draft));
  const root = doc.getMap<unknown>(rootName);
  doc.transact(() => {
    for (const [key, place] of Object.entries(layout.fields))
      root.set(key, build(place, (draft as unknown as JsonObject)[key]));
  });
  return Y.encodeStateAsUpdate(doc);
}

/** The client id for a first state with `content`; the same everywhere. */
export function clientIdOf(content: string): number {
  const bytes = digest(new TextEncoder().encode(`${genesisAlgorithm}\n${content}`));
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
}
