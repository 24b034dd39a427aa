import * as Y from "yjs";
import type { Change } from "./change.ts";
import type { Json } from "./json.ts";
import { placeAt, positionKey } from "./layout.ts";

export type SharedType = Y.Transaction["changed"] extends Map<infer T, unknown> ? T : never;

/** Changes of an author who had not seen others' changes, made at the same moment or while they were away. */
export interface Unseen {
  /** A removed item has a path only. */
  changes: Change[];
  /** What the author wrote into a deleted item. */
  dropped: Piece[];
  /** What the author removed from a deleted item. */
  cleared: Piece[];
}

/** Some of what one client has written, in its own order. */
export type Piece = Pick<Y.Item, "id" | "length">;

/**
 * Applies an update and returns which single values its author set without having seen the current one, and which items
 * they removed without having seen all of their content. Yjs picks one of the values at random and drops the content of
 * the items. Texts merge.
 * @param isFresh the update contains only recent changes: for a removed item it names the content that its author saw
 */
export function applyNotingUnseen(doc: Y.Doc, update: Uint8Array, isFresh: boolean): Unseen {
  const sent = Y.decodeUpdate(update);
  const unseen: Unseen = { changes: [], dropped: [], cleared: clearedInGone(doc, sent.ds) };
  const removal = { deletions: sent.ds, isFresh };
  const note = (transaction: Y.Transaction): void => {
    unseen.dropped = sent.structs
      .filter((struct) => struct instanceof Y.Item)
      .filter((struct) => isDropped(struct, transaction));
    for (const [type, keys] of transaction.changed) {
      for (const key of keys) {
        const path = key === null ? undefined : pathTo(type, key);
        const change = path && unseenChange(type, path, transaction, removal);
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
function isDropped({ id, length }: Piece, { doc, beforeState }: Y.Transaction): boolean {
  const known = beforeState.get(id.client) ?? 0;
  if (id.clock + length <= known) return false;
  const stored: unknown = Y.getItem(doc.store, Y.createID(id.client, Math.max(id.clock, known)));
  return stored instanceof Y.GC;
}

/** Whoever names all that is deleted here has seen it go, and takes nothing out of it. */
function clearedInGone({ store }: Y.Doc, deletions: Deletions): Piece[] {
  const cleared = [...deletions.clients].flatMap(([client, ranges]) =>
    ranges.flatMap(({ clock, len }) => goneWithin(store.clients.get(client) ?? [], clock, clock + len)),
  );
  const isAllSeen = cleared.length > 0 && Y.equalDeleteSets(Y.createDeleteSetFromStructStore(store), deletions);
  return isAllSeen ? [] : cleared;
}

/** The parts of a client's range that were thrown away with what they stood in. */
function goneWithin(structs: (Y.Item | Y.GC)[], from: number, end: number): Piece[] {
  const last = structs.at(-1);
  const known = last === undefined ? 0 : last.id.clock + last.length;
  const gone: Piece[] = [];
  for (let at = from < known ? Y.findIndexSS(structs, from) : structs.length; at < structs.length; at++) {
    const struct = structs[at];
    if (struct === undefined || struct.id.clock >= end) break;
    const clock = Math.max(from, struct.id.clock);
    const length = Math.min(end, struct.id.clock + struct.length) - clock;
    if (struct instanceof Y.GC) gone.push({ id: Y.createID(struct.id.client, clock), length });
  }
  return gone;
}

type Deletions = Y.Transaction["deleteSet"];

function unseenChange(
  type: SharedType,
  path: string[],
  transaction: Y.Transaction,
  removal: Removal,
): Change | undefined {
  const key = path.at(-1) ?? "";
  if (isSingle(path)) {
    const after = unseenValue(type, key, transaction);
    return after === undefined ? undefined : { path, after };
  }
  const item = placeAt(path.slice(0, -1))?.kind === "list" ? type._map.get(key) : undefined;
  return item?.deleted && hidesUnseen(item, transaction, removal) ? { path } : undefined;
}

/** What an update names as removed. */
interface Removal {
  deletions: Deletions;
  isFresh: boolean;
}

/**
 * Whether the removed item held content that its remover does not name, or the remover names content that was gone: then
 * they had not seen the present item. Its position does not count.
 */
function hidesUnseen({ content }: Y.Item, transaction: Y.Transaction, removal: Removal): boolean {
  if (!(content instanceof Y.ContentType)) return false;
  const members = [...content.type._map].flatMap(([key, member]) => (key === positionKey ? [] : [member]));
  for (let part = content.type._start; part !== null; part = part.right) members.push(part);
  return members.some((member) => {
    if (member.id.clock >= (transaction.beforeState.get(member.id.client) ?? 0)) return false;
    if (!Y.isDeleted(transaction.deleteSet, member.id)) return removal.isFresh && names(removal.deletions, member);
    return !Y.isDeleted(removal.deletions, member.lastId) || hidesUnseen(member, transaction, removal);
  });
}

/** Whether any of a piece is in it. */
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
