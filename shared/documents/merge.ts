import * as Y from "yjs";
import type { ListPlace, Place } from "../metadata/place.schema.ts";
import { buildItem } from "./build.ts";
import { type Change, changesBetween, idOf, readChanges, valueAt, withItemsOnce } from "./change.ts";
import { judge, type LostValue, type Repair, withoutStanding } from "./conflict.ts";
import { canonicalAt, canonicalItem, type DraftInput } from "./draft-input.ts";
import { type LiveBasis, writtenIntoGone } from "./gone.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";
import { layout, placeAt, rootName } from "./layout.ts";
import { type ListOrder, ordersChanged, putInOrder } from "./list-order.ts";
import { entriesOf, KeyedReader, keyedDraft, plainOfKeyed, toInput } from "./materialise.ts";
import { newDocument } from "./new-document.ts";
import { isNarrow, positionsBetween } from "./position.ts";
import { readdress, withNames } from "./readdress.ts";
import { editAt, editDocument, editItem } from "./structural-diff.ts";
import { DiffEffort } from "./text-diff.ts";
import { applyNotingUnseen } from "./unseen.ts";

/** An edit as it is stored and sent. */
export interface EncodedChange {
  /** Null: nothing differs. */
  update: Uint8Array | null;
  /** The document after the edit. */
  state: Uint8Array;
  /** What was changed, for `mergeChange` where the update arrives. */
  changes: Change[];
  /** The order of lists where the edit chose one, for `repeatChanges`. */
  orders: ListOrder[];
}

/** A document with the updates of `state`. It writes under `clientId`, which must not write anywhere else after this. */
export function openDocument(state: Uint8Array, clientId?: number): Y.Doc {
  const doc = newDocument();
  Y.applyUpdate(doc, state);
  // Set afterwards: Yjs takes another id when updates of its own id arrive from outside.
  if (clientId !== undefined) doc.clientID = clientId;
  return doc;
}

/** A document that was read to be changed once. */
export interface ReadDraft {
  doc: Y.Doc;
  reader: KeyedReader;
  before: JsonObject;
}

/** The first step of a change: where drafts are large, the thread may be given up before the next. */
export function readDraft(state: Uint8Array): ReadDraft {
  const doc = openDocument(state);
  const reader = new KeyedReader(doc);
  return { doc, reader, before: reader.read() };
}

const asRead = (draft: Uint8Array | ReadDraft): ReadDraft => (draft instanceof Uint8Array ? readDraft(draft) : draft);

/** What the document of `state` says (`toInput`). */
export const inputOf = (state: Uint8Array): DraftInput => toInput(openDocument(state));

/**
 * What a document says, with what `changes` meant where something else stands or the item is gone: as their author last saw it.
 * @param later paths that their author set anew afterwards.
 */
export function inputMeant(state: Uint8Array, changes: readonly Change[], later: readonly string[][]): DraftInput {
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

/** Whether a document has all that was ever written in another one. */
export function holds(state: Uint8Array, other: Uint8Array): boolean {
  const there = Y.decodeStateVector(Y.encodeStateVectorFromUpdate(state));
  const wanted = Y.decodeStateVector(Y.encodeStateVectorFromUpdate(other));
  return [...wanted].every(([client, clock]) => (there.get(client) ?? 0) >= clock);
}

/** What differs between two documents, by path. */
export const changesOfStates = (before: Uint8Array, after: Uint8Array): Change[] =>
  changesBetween(keyedDraft(openDocument(before)), keyedDraft(openDocument(after)));

/** What stands at each of these paths as plain JSON; undefined: nothing. */
export function presentValues(state: Uint8Array, paths: readonly string[][]): (Json | undefined)[] {
  const keyed = keyedDraft(openDocument(state));
  return paths.map((path) => {
    const place = placeAt(path);
    return place === undefined ? undefined : plainOfKeyed(place, valueAt(keyed, path));
  });
}

/**
 * The update that makes the document of `draft` say `next`, written under `clientId`. That id belongs to one unbroken line
 * of edits: never stored, and never used on a state that lacks an earlier edit made under it.
 */
export const encodeChange = (draft: Uint8Array | ReadDraft, next: DraftInput, clientId: number): EncodedChange =>
  encode(asRead(draft), clientId, (doc) => editDocument(doc, next));

/**
 * Sets one path (`LostValue.path`) to a plain value: what choosing `mine` of a conflict does. An item that is gone is made
 * anew at the end of its list. A path inside an item that is gone changes nothing.
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

export interface Settled {
  /** The document after merging. */
  state: Uint8Array;
  input: DraftInput;
  /** What became different by it. */
  effect: Change[];
  /** What others must apply after the author's update; null: nothing. The author must apply it too. */
  repair: Uint8Array | null;
  lost: LostValue[];
}

export interface MergedChange extends Settled {
  /** What the author did without having seen what others did; only of updates that came without changes. */
  unseen: Change[];
  /** A document of before with what was written into items that are gone: the newest one of them for the next update. */
  past?: Uint8Array | undefined;
}

/**
 * Merges an author's update where the truth is kept, and decides what Yjs alone leaves to chance: of two values of one
 * scalar the one that stood first stays (hosts-and-sync 4).
 *
 * @param changes what `encodeChange` said of this update; empty for updates of live clients, which see each other but
 * for the moment that a message takes, and for what they did while they were cut off
 * @param clientId writes the repair
 */
export function mergeChange(
  draft: Uint8Array | ReadDraft,
  update: Uint8Array,
  changes: readonly Change[],
  clientId: number,
  basis: LiveBasis = { before: [] },
): MergedChange {
  const read = asRead(draft);
  const noted = applyNotingUnseen(read.doc, update, basis.isFresh === true);
  if (changes.length > 0) return { ...mergeChanges(read, readChanges(changes), clientId), unseen: [] };
  const isIntoGone = noted.dropped.length + noted.cleared.length > 0;
  const gone = isIntoGone ? writtenIntoGone(update, noted, read.before, basis) : undefined;
  const unseen = [...noted.changes, ...(gone?.changes ?? [])];
  return { ...mergeChanges(read, unseen, clientId), unseen, past: gone?.past };
}

/**
 * Makes the same changes in another document, by path: one that was started anew since (published, discarded, begun on
 * two sides), into which no update of the old one fits. Of two orders of one list the one repeated stands.
 * @param settled paths of items that have their key already (`former-keys.ts`).
 */
export const repeatChanges = (
  state: Uint8Array,
  changes: readonly Change[],
  orders: readonly ListOrder[],
  clientId: number,
  settled: readonly string[][] = [],
): Settled => {
  const read = readDraft(state);
  const here = readdress(readChanges(changes), orders, read.before, settled);
  return mergeChanges(read, withoutStanding(here.changes, read.before), clientId, here.orders);
};

function mergeChanges(
  { doc, reader, before: current }: ReadDraft,
  changes: readonly Change[],
  clientId: number,
  orders: readonly ListOrder[] = [],
): Settled {
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

/** What many writes to one document share, so that each takes no longer for those before it. */
interface Writing {
  effort: DiffEffort;
  /** Of lists that were added to: a place behind all that they have. */
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
    // Of items at one place the key decides.
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
