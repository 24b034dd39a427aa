import { isObject, type Json, type JsonObject } from "../kernel/json.ts";
import type { ListPlace } from "../metadata/place.schema.ts";
import { type Change, idOf, itemPaths, outerItem, valueAt } from "./change.ts";
import { canonicalItem } from "./draft-input.ts";
import { itemPlace, placeAt } from "./layout.ts";
import type { ListOrder } from "./list-order.ts";
import { takeKey } from "./matching.ts";
import { plainOfKeyed } from "./materialise.ts";

const membersOf = (value: Json | undefined): JsonObject => (isObject(value) ? (value as JsonObject) : {});

/** The outermost items that were changed, as they were before, by path. */
function itemsBefore(changes: readonly Change[]): Map<string, Json | undefined> {
  const items = new Map<string, Json | undefined>();
  /** Objects made here, which may be changed. They have no prototype, since a key may have any name. */
  const own = new WeakSet<JsonObject>();
  function writable(value: Json | undefined): JsonObject {
    const members = membersOf(value);
    if (own.has(members)) return members;
    const copy: JsonObject = Object.assign(Object.create(null), members);
    own.add(copy);
    return copy;
  }
  /** `value` with `leaf` set at a path inside it; undefined removes the member. */
  function put(value: Json | undefined, [key, ...rest]: readonly string[], leaf: Json | undefined): Json | undefined {
    if (key === undefined) return leaf;
    const members = writable(value);
    const next = put(members[key], rest, leaf);
    if (next === undefined) delete members[key];
    else members[key] = next;
    return members;
  }
  for (const { path, before, item } of changes) {
    const outer = outerItem(path);
    if (outer === undefined) continue;
    const known = items.has(idOf(outer)) ? items.get(idOf(outer)) : item;
    items.set(idOf(outer), put(known, path.slice(outer.length), before));
  }
  return items;
}

/** The key of an item in a new document. */
const newKey = (list: ListPlace, keyed: Json): string =>
  takeKey(list, canonicalItem(list, plainOfKeyed(itemPlace(list), keyed)) ?? null, new Map());

/** Adds to an order the names of items whose key differs from their name in the document before the edit. */
export function withNames(order: ListOrder, before: JsonObject): ListOrder {
  const paths = [...itemPaths(order.path), ...order.keys.map((key) => [...order.path, key])];
  const items = paths.flatMap((path) => {
    const [place, item] = [placeAt(path.slice(0, -1)), valueAt(before, path)];
    const name = place?.kind === "list" && item !== undefined ? newKey(place, item) : undefined;
    return name === undefined || name === path.at(-1) ? [] : [{ path, name }];
  });
  return items.length === 0 ? order : { ...order, items };
}

/**
 * The keys of a list's items, by the key that a new document would give them. Of equal names, the first item counts.
 */
function keysByName(place: ListPlace, list: JsonObject): Map<string, string> {
  const keys = new Map<string, string>();
  for (const [key, item] of Object.entries(list)) {
    const name = newKey(place, item);
    if (!keys.has(name)) keys.set(name, key);
  }
  return keys;
}

/**
 * Replaces the item keys in changes and orders by those in `current`. A new document derives keys from the items'
 * content, so an item that was renamed before has another key there. Items that are not found keep their key.
 * @param correctPaths paths of items that have the right key already.
 */
export function rekey(
  changes: readonly Change[],
  orders: readonly ListOrder[],
  current: JsonObject,
  correctPaths: readonly string[][] = [],
): { changes: Change[]; orders: ListOrder[] } {
  const keys = new Map(correctPaths.map((path) => [idOf(path), path.at(-1) ?? ""]));
  const names = new Map<string, Map<string, string>>();
  const here = (path: readonly string[]): string[] =>
    path.map((key, index) => keys.get(idOf(path.slice(0, index + 1))) ?? key);
  function keyHere(path: readonly string[], place: ListPlace, key: string, name: string): string {
    const list = membersOf(valueAt(current, path));
    const own = Object.hasOwn(list, key) ? list[key] : undefined;
    if (own !== undefined && newKey(place, own) === name) return key;
    const known = names.get(idOf(path)) ?? keysByName(place, list);
    names.set(idOf(path), known);
    return known.get(name) ?? key;
  }
  function find(item: readonly string[], nameIn: (place: ListPlace) => string | undefined): void {
    const [list, key] = [item.slice(0, -1), item.at(-1) ?? ""];
    const place = placeAt(list);
    const name = place?.kind !== "list" || keys.has(idOf(item)) ? undefined : nameIn(place);
    if (place?.kind === "list" && name !== undefined) keys.set(idOf(item), keyHere(here(list), place, key, name));
  }
  const before = itemsBefore(changes);
  for (const item of changes.flatMap(({ path }) => itemPaths(path))) {
    const outer = outerItem(item) ?? item;
    const seen = valueAt({ item: before.get(idOf(outer)) ?? null }, ["item", ...item.slice(outer.length)]);
    find(item, (place) => (seen === undefined || seen === null ? undefined : newKey(place, seen)));
  }
  for (const { path, name } of orders.flatMap(({ items = [] }) => items)) find(path, () => name);
  return {
    changes: changes.map((change) => ({ ...change, path: here(change.path) })),
    orders: orders.map(({ path, keys: order }) => ({
      path: here(path),
      keys: order.map((key) => here([...path, key]).at(-1) ?? key),
    })),
  };
}
