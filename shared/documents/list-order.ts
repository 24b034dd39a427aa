import * as Y from "yjs";
import type { Place } from "../metadata/place.schema.ts";
import { itemPlace, layout, placeAt, positionKey, rootName } from "./layout.ts";
import { entriesOf, type KeyedReader } from "./materialise.ts";
import { placeInOrder } from "./reorder.ts";

/**
 * The order of one list: the keys of its items. `path` names list items by key. `items`: those on the path and in the
 * list that would have another key in a new document, outermost first, with that key.
 */
export interface ListOrder {
  path: string[];
  keys: string[];
  items?: { path: string[]; name: string }[] | undefined;
}

/**
 * The lists that an edit reordered: items were moved, or inserted elsewhere than at the end. Only checks lists that the
 * edit touched.
 * @param before the document as read before the edit
 */
export function ordersChanged(doc: Y.Doc, before: KeyedReader): ListOrder[] {
  const orders: ListOrder[] = [];
  collect(layout, doc.getMap(rootName), [], before, orders);
  return orders;
}

function collect(place: Place, found: unknown, path: string[], before: KeyedReader, into: ListOrder[]): void {
  if (!(found instanceof Y.Map) || before.isAsRead(found)) return;
  if (place.kind === "object") {
    for (const [key, field] of Object.entries(place.fields))
      collect(field, found.get(key), [...path, key], before, into);
  } else if (place.kind === "list") {
    const entries = entriesOf(found);
    const keys = entries.map(({ key }) => key);
    if (isChosen(before.keysAsRead(found), keys)) into.push({ path, keys });
    for (const { key, item } of entries) collect(itemPlace(place), item, [...path, key], before, into);
  }
}

function isChosen(old: readonly string[], keys: readonly string[]): boolean {
  const [known, kept] = [new Set(old), new Set(keys)];
  const untouched = [...old.filter((key) => kept.has(key)), ...keys.filter((key) => !known.has(key))];
  return untouched.some((key, index) => key !== keys[index]);
}

/** Puts the items named in `keys` into that order. Other items keep their positions. */
export function putInOrder(doc: Y.Doc, { path, keys }: ListOrder): void {
  let list: unknown = doc.getMap(rootName);
  for (const key of path) list = list instanceof Y.Map ? list.get(key) : undefined;
  if (!(list instanceof Y.Map) || placeAt(path)?.kind !== "list") return;
  const entries = entriesOf(list);
  const indexes = new Map(entries.map(({ key }, index) => [key, index]));
  const named = new Set(keys.filter((key) => indexes.has(key)));
  const wanted = named.values();
  const order = entries.map(({ key }) => (named.has(key) ? indexes.get(wanted.next().value ?? key) : indexes.get(key)));
  const positions = placeInOrder(
    order,
    entries.map(({ position }) => position),
  );
  positions.forEach((position, index) => {
    if (position !== undefined) entries[order[index] ?? index]?.item.set(positionKey, position);
  });
}
