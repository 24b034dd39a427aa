import * as Y from "yjs";
import type { Change } from "./change.ts";
import type { Json } from "./json.ts";
import { placeAt, positionKey } from "./layout.ts";

export type SharedType = Y.Transaction["changed"] extends Map<infer T, unknown> ? T : never;

/** What an author did without having seen what others did, in the same moment or while she was away. */
export interface Unseen {
  /** Of a removed item the path alone. */
  changes: Change[];
  /** What she wrote into something that is gone. */
  dropped: Y.Item[];
}

/**
 * Applies an update and answers which single values its author set without having seen the one that stands, and which
 * items she removed without having seen all that stands in them. Yjs lets chance decide between the values, and drops what
 * is in the items. Texts merge.
 */
export function applyNotingUnseen(doc: Y.Doc, update: Uint8Array): Unseen {
  const unseen: Unseen = { changes: [], dropped: [] };
  const sent = Y.decodeUpdate(update);
  const note = (transaction: Y.Transaction): void => {
    unseen.dropped = sent.structs
      .filter((struct) => struct instanceof Y.Item)
      .filter((struct) => isDropped(struct, transaction));
    for (const [type, keys] of transaction.changed) {
      for (const key of keys) {
        const path = key === null ? undefined : pathTo(type, key);
        const change = path && unseenChange(type, path, transaction, sent.ds);
        if (change) unseen.changes.push(change);
      }
    }
  };
  // Before what was overwritten is thrown away.
  doc.on("afterTransaction", note);
  Y.applyUpdate(doc, update);
  doc.off("afterTransaction", note);
  return unseen;
}

/** What was new in a transaction and could not be put anywhere. */
function isDropped({ id, length }: Y.Item, { doc, beforeState }: Y.Transaction): boolean {
  const known = beforeState.get(id.client) ?? 0;
  if (id.clock + length <= known) return false;
  const stored: unknown = Y.getItem(doc.store, Y.createID(id.client, Math.max(id.clock, known)));
  return stored instanceof Y.GC;
}

type Deletions = Y.Transaction["deleteSet"];

function unseenChange(
  type: SharedType,
  path: string[],
  transaction: Y.Transaction,
  deletions: Deletions,
): Change | undefined {
  const key = path.at(-1) ?? "";
  if (isSingle(path)) {
    const after = unseenValue(type, key, transaction);
    return after === undefined ? undefined : { path, after };
  }
  const item = placeAt(path.slice(0, -1))?.kind === "list" ? type._map.get(key) : undefined;
  return item?.deleted && hidesUnseen(item, transaction, deletions) ? { path } : undefined;
}

/** Whether something went with an item that who removed it did not name: she had not seen it. Its place does not count. */
function hidesUnseen({ content }: Y.Item, transaction: Y.Transaction, deletions: Deletions): boolean {
  if (!(content instanceof Y.ContentType)) return false;
  const members = [...content.type._map].flatMap(([key, member]) => (key === positionKey ? [] : [member]));
  for (let part = content.type._start; part !== null; part = part.right) members.push(part);
  return members.some((member) => {
    const isOld = member.id.clock < (transaction.beforeState.get(member.id.client) ?? 0);
    const wentNow = isOld && Y.isDeleted(transaction.deleteSet, member.id);
    return wentNow && (!Y.isDeleted(deletions, member.lastId) || hidesUnseen(member, transaction, deletions));
  });
}

function isSingle(path: string[]): boolean {
  const kind = placeAt(path)?.kind;
  return kind === "scalar" || kind === "ref" || kind === "value";
}

/** The keys from the root to a member of a type. */
export function pathTo(type: SharedType, key: string): string[] {
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
