import * as Y from "yjs";
import { holderOf, idOfKey, idOfType, nextClocks, type SharedType } from "./yjs-internals.ts";

/** The types that a transaction changed, and all types around them. */
export function touchedBy({ changed }: Y.Transaction): Set<SharedType> {
  const touched = new Set<SharedType>();
  for (const type of changed.keys()) {
    for (let at: SharedType | undefined = type; at !== undefined && !touched.has(at); ) {
      touched.add(at);
      at = holderOf(at);
    }
  }
  return touched;
}

/** Compares a document with its state when watching started. */
export interface Before {
  /** Whether a type is unchanged. */
  isUntouched(type: unknown): boolean;
  /** Whether the value of a key existed before and is unchanged. */
  keeps(map: Y.Map<unknown>, key: string): boolean;
}

/** Watches the changes of a document from now on. */
export function watchTouched(doc: Y.Doc): Before {
  const touched = new Set<SharedType>();
  const known = nextClocks(doc);
  doc.on("afterTransaction", (transaction: Y.Transaction) => {
    for (const type of touchedBy(transaction)) touched.add(type);
  });
  const isEarlier = (id: Y.ID | undefined): boolean => id !== undefined && id.clock < (known.get(id.client) ?? 0);
  return {
    isUntouched(found) {
      const type = found instanceof Y.AbstractType ? (found as SharedType) : undefined;
      return type !== undefined && isEarlier(idOfType(type)) && !touched.has(type);
    },
    keeps: (map, key) => isEarlier(idOfKey(map, key)) && !touched.has(map.get(key) as SharedType),
  };
}
