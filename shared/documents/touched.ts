import * as Y from "yjs";
import type { SharedType } from "./concurrent-writes.ts";

/** The types that a transaction changed, and all types around them. */
export function touchedBy({ changed }: Y.Transaction): Set<SharedType> {
  const touched = new Set<SharedType>();
  for (const type of changed.keys()) {
    for (let at: SharedType | undefined = type; at !== undefined && !touched.has(at); ) {
      touched.add(at);
      at = (at._item?.parent ?? undefined) as SharedType | undefined;
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
  const known = new Map([...doc.store.clients].map(([client]) => [client, Y.getState(doc.store, client)]));
  doc.on("afterTransaction", (transaction: Y.Transaction) => {
    for (const type of touchedBy(transaction)) touched.add(type);
  });
  const isEarlier = (id: Y.ID | undefined): boolean => id !== undefined && id.clock < (known.get(id.client) ?? 0);
  return {
    isUntouched(found) {
      const type = found instanceof Y.AbstractType ? (found as SharedType) : undefined;
      return type !== undefined && isEarlier(type._item?.id) && !touched.has(type);
    },
    keeps: (map, key) => isEarlier(map._map.get(key)?.id) && !touched.has(map.get(key) as SharedType),
  };
}
