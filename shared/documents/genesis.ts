import { digest } from "lib0/hash/sha256";
import * as Y from "yjs";
import { fieldsProtocolVersion } from "../sync-protocol/protocol-version.ts";
import { build } from "./build.ts";
import { canonical, type DraftInput } from "./draft-input.ts";
import type { JsonObject } from "./json.ts";
import { layout, rootName } from "./layout.ts";
import { newDocument } from "./new-document.ts";

/** Name of this way of making the first state. Another way is another name, so that the two never mix. */
const genesisAlgorithm = `g${fieldsProtocolVersion}`;

/**
 * The first state of a draft's document, the same bytes wherever it is made from the same input: two replicas that
 * start an edit of one published record can then merge. The client id comes from the content, so that documents of
 * different content never share one.
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

/** The client id that writes a document made of `content`: the same wherever it is made. */
export function clientIdOf(content: string): number {
  const bytes = digest(new TextEncoder().encode(`${genesisAlgorithm}\n${content}`));
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
}
