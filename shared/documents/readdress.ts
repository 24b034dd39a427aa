import type { ListPlace } from "../metadata/place.schema.ts";
import { type Change, idOf, itemPaths, outerItem, valueAt } from "./change.ts";
import { canonicalItem } from "./draft-input.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";
import { itemPlace, placeAt } from "./layout.ts";
import type { ListOrder } from "./list-order.ts";
import { takeKey } from "./matching.ts";
import { plainOfKeyed } from "./materialise.ts";

const membersOf = (value: Json | undefined): JsonObject => (isObject(value) ? (value as JsonObject) : {});

/** By path: the outermost items that were changed, as they were before. */
function itemsBefore(changes: readonly Change[]): Map<string, Json | undefined> {
  const items = new Map<string, Json | undefined>();
  /** Objects made here, which may be written to. They have no prototype: a key may have any name. */
  const own = new WeakSet<JsonObject>();
  function writable(value: Json | undefined): JsonObject {
    const members = membersOf(value);
    if (own.has(members)) return members;
    const copy: JsonObject = Object.assign(Object.create(null), members);
    own.add(copy);
    return copy;
  }
  /** `value` with `leaf` at a path inside it; absent: nothing there. */
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

/** The key that a document made anew gives to an item. */
const keyAnew = (list: ListPlace, keyed: Json): string =>
  takeKey(list, canonicalItem(list, plainOfKeyed(itemPlace(list), keyed)) ?? null, new Map());

/** An order with the names of its items in the document before the edit, where they are not their keys. */
export function withNames(order: ListOrder, before: JsonObject): ListOrder {
  const paths = [...itemPaths(order.path), ...order.keys.map((key) => [...order.path, key])];
  const items = paths.flatMap((path) => {
    const [place, item] = [placeAt(path.slice(0, -1)), valueAt(before, path)];
    const name = place?.kind === "list" && item !== undefined ? keyAnew(place, item) : undefined;
    return name === undefined || name === path.at(-1) ? [] : [{ path, name }];
  });
  return items.length === 0 ? order : { ...order, items };
}

/** By the key that a document made anew would give them: the keys of the items of a list; of namesakes the first one's. */
function keysByName(place: ListPlace, list: JsonObject): Map<string, string> {
  const keys = new Map<string, string>();
  for (const [key, item] of Object.entries(list)) {
    const name = keyAnew(place, item);
    if (!keys.has(name)) keys.set(name, key);
  }
  return keys;
}

/**
 * Changes and orders with their items named as they are in `current`: a document made anew names them by what they say
 * then, so that one which was renamed before has another key in it. Items that are not found keep their key.
 * @param settled paths of items that have their key already.
 */
export function readdress(
  changes: readonly Change[],
  orders: readonly ListOrder[],
  current: JsonObject,
  settled: readonly string[][] = [],
): { changes: Change[]; orders: ListOrder[] } {
  const keys = new Map(settled.map((path) => [idOf(path), path.at(-1) ?? ""]));
  const names = new Map<string, Map<string, string>>();
  const here = (path: readonly string[]): string[] =>
    path.map((key, index) => keys.get(idOf(path.slice(0, index + 1))) ?? key);
  function keyHere(path: readonly string[], place: ListPlace, key: string, name: string): string {
    const list = membersOf(valueAt(current, path));
    const own = Object.hasOwn(list, key) ? list[key] : undefined;
    if (own !== undefined && keyAnew(place, own) === name) return key;
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
    find(item, (place) => (seen === undefined || seen === null ? undefined : keyAnew(place, seen)));
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
