import * as Y from "yjs";
import { clearRemoved } from "./yjs-internals.ts";

/** An empty document. Nobody reads the `guid`, and random ones cost time, so all documents have the same. */
export function newDocument(): Y.Doc {
  const doc = new Y.Doc({ guid: "draft" });
  // Registered again for each change, so that it runs after all listeners that still read the removed items.
  doc.on("beforeObserverCalls", () => {
    doc.off("afterTransaction", clearRemoved);
    doc.on("afterTransaction", clearRemoved);
  });
  return doc;
}
