import * as Y from "yjs";
import type { Place } from "../metadata/place.schema.ts";
import { type Change, idOf } from "./change.ts";
import { itemPlace, layout, rootName } from "./layout.ts";
import type { ListOrder } from "./list-order.ts";
import { entriesOf } from "./materialise.ts";
import { openDocument } from "./merge.ts";

/** A list item: its path in an old document, and its key in the new document with the same content. */
export interface FormerKey {
  path: string[];
  key: string;
}

/**
 * The items whose key differs in a new document with the content of `before`, because they had been renamed.
 * @param before the old document. @param after the first state of the same content.
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
    // The new document omits empty items, so positions do not tell then which item is which.
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

/** The path in the new document for a path in the old one. */
export const pathAfter = (former: readonly FormerKey[], path: readonly string[]): string[] => renaming(former)(path);

/** An edit by path. `correctPaths`: paths of items whose key is known to be right, whatever their present name. */
export interface NamedEdit {
  changes: readonly Change[];
  orders: readonly ListOrder[];
  correctPaths: readonly string[][];
}

/** An edit of the old document, with the items' keys of the new document. */
export function editAfter(former: readonly FormerKey[], { changes, orders, correctPaths }: NamedEdit): NamedEdit {
  const here = renaming(former);
  return {
    changes: changes.map((change) => ({ ...change, path: here(change.path) })),
    orders: orders.map(({ path, keys, items }) => ({
      path: here(path),
      keys: keys.map((key) => here([...path, key]).at(-1) ?? key),
      items: items?.map((item) => ({ ...item, path: here(item.path) })),
    })),
    correctPaths: [...correctPaths.map(here), ...former.map(({ path }) => here(path))],
  };
}
