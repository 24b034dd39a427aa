import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const owner = "shared/documents/yjs-internals.ts";
/** Names of Yjs's items, tombstones and store, and the functions that take or return them. */
const internals =
  /\._(item|map|start|first|length)\b|\b(parentSub|pendingStructs|pendingDs|mergeWith)\b|\b(doc|transaction)\.store\b|\{ store\b[^}]*\}: Y\.|\bY\.(Item|GC|Skip|Content\w+|StructStore|getItem|getState|findIndexSS|decodeUpdate\w*|isDeleted|\w*DeleteSet\w*)\b/;

const usesYjs = (text: string): boolean => text.includes('from "yjs"');

test("the private structures of Yjs are known to one file (structure 11)", () => {
  const knowing = globSync("{shared,server,main,renderer}/**/*.{ts,tsx}").filter((path) => {
    const text = readFileSync(path, "utf8");
    return (usesYjs(text) || path.startsWith("shared/documents/")) && internals.test(text);
  });
  expect(knowing).toEqual([owner]);
});

test.each([
  "const item = map._map.get(key);",
  "for (let part = type._start; part !== null; part = part.right) count(part);",
  "const { structs } = Y.decodeUpdate(update);",
  "if (doc.store.pendingStructs !== null) wait();",
  "function clear({ store }: Y.Doc): void {}",
  "if (found instanceof Y.ContentType) open(found);",
])("%s is found", (line) => {
  expect(internals.test(line)).toBe(true);
});

test.each([
  'const text = doc.getMap("draft").get("title");',
  "Y.applyUpdate(doc, Y.mergeUpdates(updates));",
  'doc.on("afterTransaction", (transaction: Y.Transaction) => note(transaction.changed));',
])("%s is public", (line) => {
  expect(internals.test(line)).toBe(false);
});
