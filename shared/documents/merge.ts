import * as Y from "yjs";
import { isObject, type Json, type JsonObject } from "../kernel/json.ts";
import type { ListPlace, Place } from "../metadata/place.schema.ts";
import { buildItem } from "./build.ts";
import { type Change, changesBetween, idOf, readChanges, valueAt, withItemsOnce } from "./change.ts";
import { applyFindingConcurrent } from "./concurrent-writes.ts";
import { judge, type LostValue, type Repair, withoutStanding } from "./conflict.ts";
import { type LiveBasis, writesIntoDeleted } from "./deleted-items.ts";
import { canonicalAt, canonicalItem, type DraftInput } from "./draft-input.ts";
import { layout, placeAt, rootName } from "./layout.ts";
import { type ListOrder, ordersChanged, putInOrder } from "./list-order.ts";
import { entriesOf, KeyedReader, keyedDraft, plainOfKeyed, toInput } from "./materialise.ts";
import { newDocument } from "./new-document.ts";
import { isNarrow, positionsBetween } from "./position.ts";
import { rekey, withNames } from "./rekey.ts";
import { editAt, editDocument, editItem } from "./structural-diff.ts";
import { DiffEffort } from "./text-diff.ts";

/** An edit in the form that is stored and sent. */
export interface EncodedChange {
  /** Null when nothing changed. */
  update: Uint8Array | null;
  /** The document after the edit. */
  state: Uint8Array;
  /** The changes, for `mergeChange` on the server. */
  changes: Change[];
  /** The order of lists that the edit reordered, for `repeatChanges`. */
  orders: ListOrder[];
}

/** Opens a document. It writes under `clientId`, which must not write anywhere else afterwards. */
export function openDocument(state: Uint8Array, clientId?: number): Y.Doc {
  const doc = newDocument();
  Y.applyUpdate(doc, state);
  // Set afterwards: Yjs changes its id when it receives updates with the same id.
  if (clientId !== undefined) doc.clientID = clientId;
  return doc;
}

/** An open document and its content before one change. */
export interface ReadDraft {
  doc: Y.Doc;
  reader: KeyedReader;
  before: JsonObject;
}

/** The first step of a change. With large drafts, the caller may yield to the event loop before the second. */
export function readDraft(state: Uint8Array): ReadDraft {
  const doc = openDocument(state);
  const reader = new KeyedReader(doc);
  return { doc, reader, before: reader.read() };
}

const asRead = (draft: Uint8Array | ReadDraft): ReadDraft => (draft instanceof Uint8Array ? readDraft(draft) : draft);

/** The content of a document (`toInput`). */
export const inputOf = (state: Uint8Array): DraftInput => toInput(openDocument(state));

/**
 * The content of a document as the author of `changes` last saw it: with their values where another value won, or where
 * the item was deleted.
 * @param later paths that the author set again afterwards.
 */
export function intendedInput(state: Uint8Array, changes: readonly Change[], later: readonly string[][]): DraftInput {
  const doc = openDocument(state);
  const { lost } = repeatChanges(state, changes, [], doc.clientID);
  const anew = new Set(later.map(idOf));
  const isAnew = (path: string[]): boolean => path.some((_, index) => anew.has(idOf(path.slice(0, index + 1))));
  const writing = startWriting();
  doc.transact(() => {
    for (const { path, mine, loser } of lost)
      if (loser === "author" && !isAnew(path)) setPlain(doc, path, mine, writing);
  });
  return toInput(doc);
}

/** Whether a document contains all updates of another one. */
export function holds(state: Uint8Array, other: Uint8Array): boolean {
  const there = Y.decodeStateVector(Y.encodeStateVectorFromUpdate(state));
  const wanted = Y.decodeStateVector(Y.encodeStateVectorFromUpdate(other));
  return [...wanted].every(([client, clock]) => (there.get(client) ?? 0) >= clock);
}

/** The differences of two documents, by path. */
export const changesOfStates = (before: Uint8Array, after: Uint8Array): Change[] =>
  changesBetween(keyedDraft(openDocument(before)), keyedDraft(openDocument(after)));

/** The values at these paths as plain JSON; undefined for no value. */
export function presentValues(state: Uint8Array, paths: readonly string[][]): (Json | undefined)[] {
  const keyed = keyedDraft(openDocument(state));
  return paths.map((path) => {
    const place = placeAt(path);
    return place === undefined ? undefined : plainOfKeyed(place, valueAt(keyed, path));
  });
}

/**
 * The update that changes the content of `draft` to `next`, written under `clientId`. The id belongs to one unbroken
 * sequence of edits: it is never stored, and never used on a state that lacks an earlier edit under it.
 */
export const encodeChange = (draft: Uint8Array | ReadDraft, next: DraftInput, clientId: number): EncodedChange =>
  encode(asRead(draft), clientId, (doc) => editDocument(doc, next));

/**
 * Sets one path (`LostValue.path`) to a plain value, to choose `mine` in a conflict. A deleted item is created again at
 * the end of its list. A path inside a deleted item changes nothing.
 */
export const encodeValue = (
  state: Uint8Array,
  path: string[],
  value: Json | undefined,
  clientId: number,
): EncodedChange =>
  encode(readDraft(state), clientId, (doc) => doc.transact(() => setPlain(doc, path, value, startWriting())));

function encode({ doc, reader, before }: ReadDraft, clientId: number, edit: (doc: Y.Doc) => void): EncodedChange {
  doc.clientID = clientId;
  const updates: Uint8Array[] = [];
  doc.on("update", (update: Uint8Array) => updates.push(update));
  edit(doc);
  const state = Y.encodeStateAsUpdate(doc);
  if (updates.length === 0) return { update: null, state, changes: [], orders: [] };
  const orders = ordersChanged(doc, reader).map((order) => withNames(order, before));
  const changes = withItemsOnce(changesBetween(before, reader.read()));
  return { update: Y.mergeUpdates(updates), state, changes, orders };
}

export interface MergeResult {
  /** The document after merging. */
  state: Uint8Array;
  input: DraftInput;
  /** The changes of the content. */
  effect: Change[];
  /** An update that everyone, the author included, must apply after the author's; null when not needed. */
  repair: Uint8Array | null;
  lost: LostValue[];
}

export interface MergedChange extends MergeResult {
  /** The author's concurrent writes; only for updates that came without changes. */
  concurrent: Change[];
  /** An earlier document with the writes into deleted items. Pass it as the newest one with the next update. */
  past?: Uint8Array | undefined;
}

/**
 * Merges an author's update on the server. Yjs picks one of two concurrent scalar values by chance; here the value that
 * arrived first stays (hosts-and-sync 4).
 *
 * @param changes the changes that `encodeChange` returned with the update; empty for updates of live clients
 * @param clientId the id that writes the repair
 */
export function mergeChange(
  draft: Uint8Array | ReadDraft,
  update: Uint8Array,
  changes: readonly Change[],
  clientId: number,
  basis: LiveBasis = { before: [] },
): MergedChange {
  const read = asRead(draft);
  const noted = applyFindingConcurrent(read.doc, update, basis.isFresh === true);
  if (changes.length > 0) return { ...mergeChanges(read, readChanges(changes), clientId), concurrent: [] };
  const isIntoDeleted = noted.dropped.length + noted.cleared.length > 0;
  const deleted = isIntoDeleted ? writesIntoDeleted(update, noted, read.before, basis) : undefined;
  const concurrent = [...noted.changes, ...(deleted?.changes ?? [])];
  return { ...mergeChanges(read, concurrent, clientId), concurrent, past: deleted?.past };
}

/**
 * Repeats changes by path in a new document, into which updates of the old one do not fit: the draft was published,
 * discarded or created twice since. A repeated order of a list replaces the present one.
 * @param keyed paths of items that have the right key already (`former-keys.ts`).
 */
export const repeatChanges = (
  state: Uint8Array,
  changes: readonly Change[],
  orders: readonly ListOrder[],
  clientId: number,
  keyed: readonly string[][] = [],
): MergeResult => {
  const read = readDraft(state);
  const here = rekey(readChanges(changes), orders, read.before, keyed);
  return mergeChanges(read, withoutStanding(here.changes, read.before), clientId, here.orders);
};

function mergeChanges(
  { doc, reader, before: current }: ReadDraft,
  changes: readonly Change[],
  clientId: number,
  orders: readonly ListOrder[] = [],
): MergeResult {
  const writing = startWriting();
  const merged = reader.read();
  const { lost, repairs } = judge(changes, current, merged, writing.effort);
  const orderOf = new Map(orders.map((order) => [idOf(order.path), order]));
  doc.clientID = clientId;
  const updates: Uint8Array[] = [];
  doc.on("update", (repair: Uint8Array) => updates.push(repair));
  doc.transact(() => {
    for (const repair of repairs) applyRepair(doc, repair, writing);
    for (const order of orderOf.values()) putInOrder(doc, order);
  });
  const repair = updates.length === 0 ? null : Y.mergeUpdates(updates);
  const effect = changesBetween(current, reader.read());
  return { state: Y.encodeStateAsUpdate(doc), input: toInput(doc), effect, repair, lost };
}

/** State shared by many writes to one document, so that they do not become slower one by one. */
interface Writing {
  effort: DiffEffort;
  /** The last position of each list that got new items. */
  ends: Map<Y.Map<unknown>, string>;
}

const startWriting = (): Writing => ({ effort: new DiffEffort(), ends: new Map() });

function setPlain(doc: Y.Doc, path: readonly string[], value: Json | undefined, writing: Writing): void {
  const parent = parentOf(doc, path);
  const key = path.at(-1);
  if (parent === undefined || key === undefined) return;
  if (parent.place.kind !== "list") {
    const place = placeAt([key], parent.place);
    if (place !== undefined)
      editAt(parent.map, key, place, value === undefined ? undefined : canonicalAt(place, value), writing.effort);
    return;
  }
  const content = value === undefined ? undefined : canonicalItem(parent.place, value);
  setItem(parent.map, parent.place, key, content, writing);
}

function setItem(
  list: Y.Map<unknown>,
  place: ListPlace,
  key: string,
  content: Json | undefined,
  { effort, ends }: Writing,
): void {
  const found: unknown = list.get(key);
  if (content === undefined) list.delete(key);
  else if (found instanceof Y.Map) editItem(found, place, content, effort);
  else {
    const last = ends.get(list) ?? entriesOf(list).findLast(({ position }) => position !== undefined)?.position;
    const [next = ""] = positionsBetween(last, undefined, 1);
    // Items at one position are ordered by key.
    const end = last !== undefined && isNarrow(next) ? last : next;
    ends.set(list, end);
    list.set(key, buildItem(place, content, end));
  }
}

function parentOf(doc: Y.Doc, path: readonly string[]): { map: Y.Map<unknown>; place: Place } | undefined {
  let map: unknown = doc.getMap(rootName);
  for (const key of path.slice(0, -1)) map = map instanceof Y.Map ? map.get(key) : undefined;
  const place = placeAt(path.slice(0, -1), layout);
  return map instanceof Y.Map && place !== undefined ? { map, place } : undefined;
}

function applyRepair(doc: Y.Doc, { path, value }: Repair, writing: Writing): void {
  const place = placeAt(path);
  const plain = place === undefined || !isObject(value) ? value : plainOfKeyed(place, value);
  setPlain(doc, path, plain, writing);
}
