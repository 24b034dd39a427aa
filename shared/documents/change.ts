import { isObject, type Json, type JsonObject, sameJson } from "../kernel/json.ts";
import type { Place } from "../metadata/place.schema.ts";
import { layout, placeAt } from "./layout.ts";

/**
 * One change of an edit. `path` leads to a leaf, or to a list item that was added or removed as a whole; it names items
 * by key. Values are keyed (lists as objects by key); absent: no value. `item`, for a leaf inside a list: the outermost
 * item after the edit. Stored and sent changes have it only once per item.
 */
export interface Change {
  path: string[];
  before?: Json;
  after?: Json;
  item?: Json;
}

export const idOf = (path: readonly string[]): string => JSON.stringify(path);

/**
 * The differences of two keyed drafts (`keyedDraft`), in the layout's order. Ignores the order of lists
 * (`list-order.ts`).
 */
export function changesBetween(before: JsonObject, after: JsonObject): Change[] {
  const changes: Change[] = [];
  compare(layout, before, after, [], changes);
  return changes.map((change) => withItem(change, after));
}

function compare(
  place: Place,
  before: Json | undefined,
  after: Json | undefined,
  path: string[],
  into: Change[],
): void {
  if (before === after) return;
  if (place.kind !== "object" && place.kind !== "list" && place.kind !== "open") {
    if (!sameJson(before, after)) into.push(changeAt(path, before, after));
    return;
  }
  const [left, right] = [members(before), members(after)];
  const names =
    place.kind === "object" ? Object.keys(place.fields) : [...new Set([...Object.keys(left), ...Object.keys(right)])];
  for (const name of names) {
    const [mine, theirs] = [member(left, name), member(right, name)];
    const inner = placeAt([name], place);
    if (inner === undefined) continue;
    if (place.kind === "list" && (mine === undefined || theirs === undefined)) {
      into.push(changeAt([...path, name], mine, theirs));
    } else compare(inner, mine, theirs, [...path, name], into);
  }
}

const members = (value: Json | undefined): JsonObject => (isObject(value) ? (value as JsonObject) : {});
const member = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

const changeAt = (path: string[], before: Json | undefined, after: Json | undefined): Change => ({
  path,
  ...(before === undefined ? {} : { before }),
  ...(after === undefined ? {} : { after }),
});

function withItem(change: Change, after: JsonObject): Change {
  const outer = outerItem(change.path);
  if (outer === undefined || outer.length === change.path.length) return change;
  const item = valueAt(after, outer);
  return item === undefined ? change : { ...change, item };
}

/** Changes as stored and sent: with each `item` only once, so that many changes of one item stay short. */
export function withItemsOnce(changes: readonly Change[]): Change[] {
  const reported = new Set<string>();
  return changes.map((change) => {
    const outer = idOf(outerItem(change.path) ?? []);
    if (change.item === undefined || !reported.has(outer)) {
      if (change.item !== undefined) reported.add(outer);
      return change;
    }
    const { item: _, ...rest } = change;
    return rest;
  });
}

/**
 * Reads changes that anyone sent: adds `item` to each change again, keeps each path once, and drops paths that no edit
 * can change.
 */
export function readChanges(sent: readonly Change[]): Change[] {
  const items = new Map<string, Json>();
  const changes = new Map<string, Change>();
  for (const change of sent) {
    const [outer, id] = [outerItem(change.path), idOf(change.path)];
    if (changes.has(id) || !isChangeable(change.path)) continue;
    const item = outer === undefined ? undefined : (items.get(idOf(outer)) ?? change.item);
    if (outer !== undefined && item !== undefined) items.set(idOf(outer), item);
    changes.set(id, item === undefined || outer?.length === change.path.length ? change : { ...change, item });
  }
  return [...changes.values()];
}

/** Whether a path leads to a leaf or to an item of a list. */
function isChangeable(path: readonly string[]): boolean {
  const kind = placeAt(path)?.kind;
  const isWhole = kind === "object" || kind === "list" || kind === "open";
  return kind !== undefined && (!isWhole || placeAt(path.slice(0, -1))?.kind === "list");
}

/** The value at `path` of a keyed draft. */
export function valueAt(keyed: JsonObject, path: readonly string[]): Json | undefined {
  let value: Json | undefined = keyed;
  for (const key of path) value = member(members(value), key);
  return value;
}

/** Path of the outermost item on the way to `path` that is missing from a keyed draft. */
export const deletedItem = (path: readonly string[], keyed: JsonObject): string[] | undefined =>
  itemPaths(path).find((item) => item.length < path.length && valueAt(keyed, item) === undefined);

/** Path of the outermost list item on the way to `path`. */
export const outerItem = (path: readonly string[]): string[] | undefined => itemPaths(path)[0];

/** Paths of all list items on the way to `path`, outermost first, `path` itself included when it is one. */
export const itemPaths = (path: readonly string[]): string[][] =>
  path.flatMap((_, index) => (placeAt(path.slice(0, index))?.kind === "list" ? [path.slice(0, index + 1)] : []));
