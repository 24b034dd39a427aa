import * as Y from "yjs";
import type { Json } from "../kernel/json.ts";

// Everything that reads or changes the private structures of Yjs: items, tombstones and the store. Its next version may
// arrange them otherwise; then only this file changes. A check in test/architecture keeps them out of all others.

/** Any shared type: a map, a text or an array. */
export type SharedType = Y.Transaction["changed"] extends Map<infer T, unknown> ? T : never;

/** The writes that an update or a transaction deletes. */
export type Deletions = Y.Transaction["deleteSet"];

/** A part of one client's writes: consecutive clocks. */
export type Piece = Pick<Y.Item, "id" | "length">;

/** A part of an update, which names its neighbours or its parent. */
export type NewPiece = Piece & Pick<Y.Item, "origin" | "rightOrigin" | "parent" | "parentSub">;

type Struct = Y.Item | Y.GC;

const structsOf = ({ store }: Y.Doc, client: number): Struct[] => store.clients.get(client) ?? [];

/** How many entries the store has for a client. */
export const countStored = (doc: Y.Doc, client: number): number => structsOf(doc, client).length;

/** The first clock of a client that a document lacks. */
export const nextClock = ({ store }: Y.Doc, client: number): number => Y.getState(store, client);

/** The next clock of each client. */
export const nextClocks = (doc: Y.Doc): Map<number, number> =>
  new Map([...doc.store.clients.keys()].map((client) => [client, nextClock(doc, client)]));

/** Whether a document lacks writes on which an applied update builds. */
export const awaitsUpdates = ({ store }: Y.Doc): boolean => store.pendingStructs !== null || store.pendingDs !== null;

/** Whether a stored item starts before this clock and continues after it. The document must have the clock. */
export function isInsideItem(doc: Y.Doc, client: number, clock: number): boolean {
  const structs = structsOf(doc, client);
  const found = structs[Y.findIndexSS(structs, clock)];
  return found instanceof Y.Item && found.id.clock < clock;
}

/** The stored item with a clock, or undefined for a tombstone. The document must have the clock. */
function itemAt({ store }: Y.Doc, id: Y.ID): Y.Item | undefined {
  const found: unknown = Y.getItem(store, id);
  return found instanceof Y.Item ? found : undefined;
}

/** What an update writes and what it deletes. */
export function readUpdate(update: Uint8Array): { pieces: NewPiece[]; deletions: Deletions } {
  const { structs, ds } = Y.decodeUpdate(update);
  return { pieces: structs.filter((struct) => struct instanceof Y.Item), deletions: ds };
}

/** Whether items were deleted from a document. Yjs would drop concurrent writes into them. */
export const hasDeletedItems = (state: Uint8Array): boolean =>
  Y.decodeUpdate(state).structs.some((struct) => struct instanceof Y.GC);

/** Whether a client's update has other deletions than the document: one of the two lacks something. */
export function namesOtherDeletions(state: Uint8Array, update: Uint8Array): boolean {
  const [ours, theirs] = [readUpdate(state).deletions, readUpdate(update).deletions];
  return theirs.clients.size > 0 && !Y.equalDeleteSets(ours, theirs);
}

/** The type around a type. */
export const holderOf = (type: SharedType): SharedType | undefined =>
  (type._item?.parent ?? undefined) as SharedType | undefined;

/** The write that made a type. */
export const idOfType = (type: SharedType): Y.ID | undefined => type._item?.id;

/** The last write of a key, which may be deleted. */
export const idOfKey = (map: Y.Map<unknown>, key: string): Y.ID | undefined => map._map.get(key)?.id;

/** The last write of a key that has a value. */
export function idOfValue(map: Y.Map<unknown>, key: string): Y.ID | undefined {
  const item = map._map.get(key);
  return item?.deleted ? undefined : item?.id;
}

/** Whether a map also has list content, which is in no JSON. */
export function hasListContent(map: Y.Map<unknown>): boolean {
  for (let item = map._start; item !== null; item = item.right) if (!item.deleted) return true;
  return false;
}

/** The keys from the root to a member of a type. */
export function pathTo(type: SharedType, key: string): string[] {
  const path = [key];
  for (let item = type._item; item !== null; item = (item.parent as SharedType)._item) {
    path.unshift(item.parentSub ?? "");
  }
  return path;
}

/** Whether a document still has the place of a piece, even if it is empty. */
export const hasPlace = (doc: Y.Doc, { id }: Piece): boolean =>
  id.clock < nextClock(doc, id.client) && itemAt(doc, id) !== undefined;

/** The paths of a piece in a document, without parts that are deleted there and values of one key. */
export function pathsOf(doc: Y.Doc, { id, length }: Piece, ignoredKey: string): string[][] {
  const paths: string[][] = [];
  const end = Math.min(id.clock + length, nextClock(doc, id.client));
  for (let clock = id.clock; clock < end; ) {
    const part: Struct = Y.getItem(doc.store, Y.createID(id.client, clock));
    clock = part.id.clock + part.length;
    if (!(part instanceof Y.Item) || part.deleted || part.parentSub === ignoredKey) continue;
    const type = part.parent as SharedType;
    const holder = type._item;
    if (part.parentSub !== null) paths.push(pathTo(type, part.parentSub));
    else if (holder?.parentSub) paths.push(pathTo(holder.parent as SharedType, holder.parentSub));
  }
  return paths;
}

/** Whether a piece was new in a transaction but Yjs dropped it, since its item was deleted. */
export function isDropped({ id, length }: Piece, { doc, beforeState }: Y.Transaction): boolean {
  const known = beforeState.get(id.client) ?? 0;
  if (id.clock + length <= known) return false;
  return itemAt(doc, Y.createID(id.client, Math.max(id.clock, known))) === undefined;
}

/** What deletions remove from deleted items; nothing if they name all deletions of the document. */
export function clearedFromDeleted(doc: Y.Doc, deletions: Deletions): Piece[] {
  const cleared = [...deletions.clients].flatMap(([client, ranges]) =>
    ranges.flatMap(({ clock, len }) => deletedWithin(structsOf(doc, client), clock, clock + len)),
  );
  const knowsAll = cleared.length > 0 && Y.equalDeleteSets(Y.createDeleteSetFromStructStore(doc.store), deletions);
  return knowsAll ? [] : cleared;
}

/** The parts of a client's range that were deleted together with the item around them. */
function deletedWithin(structs: Struct[], from: number, end: number): Piece[] {
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

/** The deletions of an update. */
export interface Removal {
  deletions: Deletions;
  /** The update contains only recent changes: for a removed item, it names the content that its author saw. */
  isFresh: boolean;
}

/**
 * Whether a transaction removed the value of a key whose present content its author had not seen: the update does not
 * name all of that content as removed, or names content that was removed before. Ignores members of one key.
 */
export function removesUnseen(
  [type, key]: [SharedType, string],
  transaction: Y.Transaction,
  removal: Removal,
  ignoredKey: string,
): boolean {
  const holdsUnseen = ({ content }: Y.Item): boolean => {
    if (!(content instanceof Y.ContentType)) return false;
    const members = [...content.type._map].flatMap(([name, member]) => (name === ignoredKey ? [] : [member]));
    for (let part = content.type._start; part !== null; part = part.right) members.push(part);
    return members.some((member) => {
      if (member.id.clock >= (transaction.beforeState.get(member.id.client) ?? 0)) return false;
      if (!Y.isDeleted(transaction.deleteSet, member.id)) return removal.isFresh && names(removal.deletions, member);
      return !Y.isDeleted(removal.deletions, member.lastId) || holdsUnseen(member);
    });
  };
  const item = type._map.get(key);
  return item?.deleted === true && holdsUnseen(item);
}

/** Whether deletions contain any part of a piece. */
const names = ({ clients }: Deletions, { id, length }: Piece): boolean =>
  clients.get(id.client)?.some(({ clock, len }) => clock < id.clock + length && id.clock < clock + len) ?? false;

/** The value that a transaction set last, if it was not set over the value that was there before. */
export function concurrentValue(type: SharedType, key: string, { doc, beforeState }: Y.Transaction) {
  const isNew = ({ id }: Y.Item): boolean => id.clock >= (beforeState.get(id.client) ?? 0);
  const items: Y.Item[] = [];
  for (let item = type._map.get(key) ?? null; item !== null; item = item.left) items.push(item);
  const [newItem, stood] = [items.find(isNew), items.find((item) => !isNew(item))];
  if (newItem === undefined || stood === undefined) return undefined;
  let followed: Y.Item | undefined = newItem;
  while (followed !== undefined && isNew(followed)) {
    const origin: Y.ID | null = followed.origin;
    followed = origin === null ? undefined : itemAt(doc, origin);
  }
  return followed === stood ? undefined : (newItem.content.getContent().at(-1) as Json | undefined);
}

/** The items of one text or map key, which Yjs searches to insert a new one. */
export interface Row {
  name: string;
  /** How many items the document has in it. */
  countKnown(): number;
}

/** The row of the first item of a text or key, which names its parent. */
export function rowUnder(doc: Y.Doc, { parent, parentSub }: NewPiece): Row {
  if (!(parent instanceof Y.ID)) return row(undefined, `root/${parentSub}`, parentSub);
  const content = parent.clock < nextClock(doc, parent.client) ? itemAt(doc, parent)?.content : undefined;
  const type = content instanceof Y.ContentType ? content.type : undefined;
  return row(type, `${parent.client}:${parent.clock}/${parentSub}`, parentSub);
}

/** The row of a stored item; undefined inside deleted items, where Yjs drops new ones at once. */
export function rowAround(doc: Y.Doc, id: Y.ID): Row | undefined {
  const item = itemAt(doc, id);
  if (item === undefined) return undefined;
  const type = item.parent as SharedType;
  const holder = type._item?.id;
  const sub = item.parentSub;
  return row(type, holder ? `${holder.client}:${holder.clock}/${sub}` : `root/${sub}`, sub);
}

const row = (type: SharedType | undefined, name: string, sub: string | null): Row => ({
  name,
  countKnown() {
    let known = 0;
    if (sub === null) for (let item = type?._start ?? null; item !== null; item = item.right) known++;
    else for (let item = type?._map.get(sub) ?? null; item !== null; item = item.left) known++;
    return known;
  },
});

/** From this many removed items on, they are cleared together. */
const many = 500;

/**
 * Replaces removed items by tombstones, as Yjs does after each change, but together. Yjs shifts all following items for
 * each one, which takes seconds for ten thousand items.
 */
export function clearRemoved({ doc, deleteSet }: Y.Transaction): void {
  for (const [client, ranges] of deleteSet.clients) {
    if (ranges.reduce((sum, { len }) => sum + len, 0) < many) continue;
    for (const range of ranges) clearRange(doc, client, range);
    joinCleared(structsOf(doc, client));
  }
}

function clearRange(doc: Y.Doc, client: number, { clock, len }: { clock: number; len: number }): void {
  const structs = structsOf(doc, client);
  for (let at = Y.findIndexSS(structs, clock); at < structs.length; at += 1) {
    const struct = structs[at];
    if (struct === undefined || struct.id.clock >= clock + len) return;
    if (struct instanceof Y.Item && struct.deleted && !struct.keep) struct.gc(doc.store, false);
  }
}

function joinCleared(structs: Struct[]): void {
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
