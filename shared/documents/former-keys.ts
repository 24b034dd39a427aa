import * as Y from "yjs";
import type { Place } from "../metadata/place.schema.ts";
import { type Change, idOf } from "./change.ts";
import { itemPlace, layout, rootName } from "./layout.ts";
import type { ListOrder } from "./list-order.ts";
import { entriesOf } from "./materialise.ts";
import { openDocument } from "./merge.ts";

/** An item of a list, by its path in a document that is over, and its key in the one that says the same and came after. */
export interface FormerKey {
  path: string[];
  key: string;
}

/**
 * The items that have another key in a document made anew of what `before` says: they had been renamed.
 * @param before the document that is over. @param after a first state of the same content.
 */
export function formerKeys(before: Uint8Array, after: Uint8Array): FormerKey[] {
  const former: FormerKey[] = [];
  collect(layout, openDocument(before).getMap(rootName), openDocument(after).getMap(rootName), [], former);
  return former;
}

function collect(place: Place, before: unknown, after: unknown, path: string[], into: FormerKey[]): void {
  if (!(before instanceof Y.Map) || !(after instanceof Y.Map)) return;
  if (place.kind === "object") {
    for (const [key, field] of Object.entries(place.fields))
      collect(field, before.get(key), after.get(key), [...path, key], into);
  } else if (place.kind === "list") {
    const [old, next] = [entriesOf(before), entriesOf(after)];
    // What says nothing is left out of the new one: which is which cannot be told by place then.
    if (old.length !== next.length) return;
    for (const [index, { key, item }] of old.entries()) {
      const present = next[index];
      if (present === undefined) continue;
      if (present.key !== key) into.push({ path: [...path, key], key: present.key });
      collect(itemPlace(place), item, present.item, [...path, key], into);
    }
  }
}

type Rename = (path: readonly string[]) => string[];

function renaming(former: readonly FormerKey[]): Rename {
  const keys = new Map(former.map(({ path, key }) => [idOf(path), key]));
  return (path) => path.map((key, index) => keys.get(idOf(path.slice(0, index + 1))) ?? key);
}

/** A path of the document that is over in the one that came after. */
export const pathAfter = (former: readonly FormerKey[], path: readonly string[]): string[] => renaming(former)(path);

/** An edit by what it means. `settled`: items of which the key is sure, whatever they are called now. */
export interface NamedEdit {
  changes: readonly Change[];
  orders: readonly ListOrder[];
  settled: readonly string[][];
}

/** An edit of the document that is over, with its items named as in the one that came after. */
export function editAfter(former: readonly FormerKey[], { changes, orders, settled }: NamedEdit): NamedEdit {
  const here = renaming(former);
  return {
    changes: changes.map((change) => ({ ...change, path: here(change.path) })),
    orders: orders.map(({ path, keys, items }) => ({
      path: here(path),
      keys: keys.map((key) => here([...path, key]).at(-1) ?? key),
      items: items?.map((item) => ({ ...item, path: here(item.path) })),
    })),
    settled: [...settled.map(here), ...former.map(({ path }) => here(path))],
  };
}
