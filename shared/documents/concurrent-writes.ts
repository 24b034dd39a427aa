import * as Y from "yjs";
import type { Change } from "./change.ts";
import type { Json } from "./json.ts";
import { placeAt, positionKey } from "./layout.ts";

export type SharedType = Y.Transaction["changed"] extends Map<infer T, unknown> ? T : never;

/** Changes of an author who had not seen others' changes, made at the same moment or while offline. */
export interface ConcurrentWrites {
  /** A removed item has only a path. */
  changes: Change[];
  /** What the author wrote into a deleted item. */
  dropped: Piece[];
  /** What the author removed from a deleted item. */
  cleared: Piece[];
}

/** A part of one client's writes: consecutive clocks. */
export type Piece = Pick<Y.Item, "id" | "length">;

/**
 * Applies an update. Returns the single values that its author set without having seen the current one, and the items
 * that they removed without having seen all of the content. Yjs would pick one of the values by chance and drop the
 * content. Texts merge.
 * @param isFresh the update contains only recent changes: for a removed item, it names the content that its author saw
 */
export function applyFindingConcurrent(doc: Y.Doc, update: Uint8Array, isFresh: boolean): ConcurrentWrites {
  const sent = Y.decodeUpdate(update);
  const concurrent: ConcurrentWrites = { changes: [], dropped: [], cleared: clearedFromDeleted(doc, sent.ds) };
  const removal = { deletions: sent.ds, isFresh };
  const note = (transaction: Y.Transaction): void => {
    concurrent.dropped = sent.structs
      .filter((struct) => struct instanceof Y.Item)
      .filter((struct) => isDropped(struct, transaction));
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

/** Whether a piece was new in a transaction but Yjs dropped it, since its item was deleted. */
function isDropped({ id, length }: Piece, { doc, beforeState }: Y.Transaction): boolean {
  const known = beforeState.get(id.client) ?? 0;
  if (id.clock + length <= known) return false;
  const stored: unknown = Y.getItem(doc.store, Y.createID(id.client, Math.max(id.clock, known)));
  return stored instanceof Y.GC;
}

/** What an update removes from deleted items; nothing if its author knows all deletions of the document. */
function clearedFromDeleted({ store }: Y.Doc, deletions: Deletions): Piece[] {
  const cleared = [...deletions.clients].flatMap(([client, ranges]) =>
    ranges.flatMap(({ clock, len }) => deletedWithin(store.clients.get(client) ?? [], clock, clock + len)),
  );
  const knowsAll = cleared.length > 0 && Y.equalDeleteSets(Y.createDeleteSetFromStructStore(store), deletions);
  return knowsAll ? [] : cleared;
}

/** The parts of a client's range that were deleted together with the item around them. */
function deletedWithin(structs: (Y.Item | Y.GC)[], from: number, end: number): Piece[] {
  const last = structs.at(-1);
  const known = last === undefined ? 0 : last.id.clock + last.length;
  const deleted: Piece[] = [];
  for (let at = from < known ? Y.findIndexSS(structs, from) : structs.length; at < structs.length; at++) {
    const struct = structs[at];
    if (struct === undefined || struct.id.clock >= end) break;
    const clock = Math.max(from, struct.id.clock);
    const length = Math.min(end, struct.id.clock + struct.length) - clock;
    if (struct instanceof Y.GC) deleted.push({ id: Y.createID(struct.id.client, clock), length });
  }
  return deleted;
}

type Deletions = Y.Transaction["deleteSet"];

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
  const item = placeAt(path.slice(0, -1))?.kind === "list" ? type._map.get(key) : undefined;
  return item?.deleted && holdsConcurrent(item, transaction, removal) ? { path } : undefined;
}

/** The deletions of an update. */
interface Removal {
  deletions: Deletions;
  isFresh: boolean;
}

/**
 * Whether the author removed an item without having seen its present content: the update does not name all of its
 * content as removed, or names content that was removed before. Ignores the position.
 */
function holdsConcurrent({ content }: Y.Item, transaction: Y.Transaction, removal: Removal): boolean {
  if (!(content instanceof Y.ContentType)) return false;
  const members = [...content.type._map].flatMap(([key, member]) => (key === positionKey ? [] : [member]));
  for (let part = content.type._start; part !== null; part = part.right) members.push(part);
  return members.some((member) => {
    if (member.id.clock >= (transaction.beforeState.get(member.id.client) ?? 0)) return false;
    if (!Y.isDeleted(transaction.deleteSet, member.id)) return removal.isFresh && names(removal.deletions, member);
    return !Y.isDeleted(removal.deletions, member.lastId) || holdsConcurrent(member, transaction, removal);
  });
}

/** Whether deletions contain any part of a piece. */
const names = ({ clients }: Deletions, { id, length }: Piece): boolean =>
  clients.get(id.client)?.some(({ clock, len }) => clock < id.clock + length && id.clock < clock + len) ?? false;

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

/** The value that this transaction set last, if it was not set over the value that was there before. */
function concurrentValue(type: SharedType, key: string, { doc, beforeState }: Y.Transaction) {
  const isNew = ({ id }: Y.Item): boolean => id.clock >= (beforeState.get(id.client) ?? 0);
  const items: Y.Item[] = [];
  for (let item = type._map.get(key) ?? null; item !== null; item = item.left) items.push(item);
  const [newItem, stood] = [items.find(isNew), items.find((item) => !isNew(item))];
  if (newItem === undefined || stood === undefined) return undefined;
  let followed: Y.Item | undefined = newItem;
  while (followed !== undefined && isNew(followed)) {
    const origin: Y.ID | null = followed.origin;
    const before: unknown = origin === null ? undefined : Y.getItem(doc.store, origin);
    followed = before instanceof Y.Item ? before : undefined;
  }
  return followed === stood ? undefined : (newItem.content.getContent().at(-1) as Json | undefined);
}
