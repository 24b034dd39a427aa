import * as Y from "yjs";
import type { SharedType } from "./unseen.ts";

/** The types in which a transaction changed something, and all that they stand in. */
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

/** Whether a type of a document is what it was. */
export type IsUntouched = (type: unknown) => boolean;

/** Watches what becomes of a document from now on. */
export function watchTouched(doc: Y.Doc): IsUntouched {
  const touched = new Set<SharedType>();
  const known = new Map([...doc.store.clients].map(([client]) => [client, Y.getState(doc.store, client)]));
  doc.on("afterTransaction", (transaction: Y.Transaction) => {
    for (const type of touchedBy(transaction)) touched.add(type);
  });
  return (found) => {
    const type = found instanceof Y.AbstractType ? (found as SharedType) : undefined;
    const id = type?._item?.id;
    return type !== undefined && id !== undefined && id.clock < (known.get(id.client) ?? 0) && !touched.has(type);
  };
}
