import * as Y from "yjs";
import type { Change } from "./change.ts";
import type { Json } from "./json.ts";
import { placeAt } from "./layout.ts";

type SharedType = Y.Transaction["changed"] extends Map<infer T, unknown> ? T : never;

/**
 * Applies an update and answers which single values its author set without having seen the one that stands: somebody else
 * set it in the same moment, or while the author was away. Yjs lets chance decide between the two. Texts merge.
 */
export function applyNotingUnseen(doc: Y.Doc, update: Uint8Array): Change[] {
  const unseen: Change[] = [];
  const note = (transaction: Y.Transaction): void => {
    for (const [type, keys] of transaction.changed) {
      for (const key of keys) {
        const path = key === null ? undefined : pathTo(type, key);
        const after = path && isSingle(path) ? unseenValue(type, path.at(-1) ?? "", transaction) : undefined;
        if (path && after !== undefined) unseen.push({ path, after });
      }
    }
  };
  // Before what was overwritten is thrown away.
  doc.on("afterTransaction", note);
  Y.applyUpdate(doc, update);
  doc.off("afterTransaction", note);
  return unseen;
}

function isSingle(path: string[]): boolean {
  const kind = placeAt(path)?.kind;
  return kind === "scalar" || kind === "ref" || kind === "value";
}

/** The keys from the root to a member of a type. */
function pathTo(type: SharedType, key: string): string[] {
  const path = [key];
  for (let item = type._item; item !== null; item = (item.parent as SharedType)._item) {
    path.unshift(item.parentSub ?? "");
  }
  return path;
}

/** What a key was set to last in this transaction, if that does not follow on what stood there before. */
function unseenValue(type: SharedType, key: string, { doc, beforeState }: Y.Transaction) {
  const isNew = ({ id }: Y.Item): boolean => id.clock >= (beforeState.get(id.client) ?? 0);
  const items: Y.Item[] = [];
  for (let item = type._map.get(key) ?? null; item !== null; item = item.left) items.push(item);
  const [written, stood] = [items.find(isNew), items.find((item) => !isNew(item))];
  if (written === undefined || stood === undefined) return undefined;
  let followed: Y.Item | undefined = written;
  while (followed !== undefined && isNew(followed)) {
    const origin: Y.ID | null = followed.origin;
    const before: unknown = origin === null ? undefined : Y.getItem(doc.store, origin);
    followed = before instanceof Y.Item ? before : undefined;
  }
  return followed === stood ? undefined : (written.content.getContent().at(-1) as Json | undefined);
}
