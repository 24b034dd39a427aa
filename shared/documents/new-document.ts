import * as Y from "yjs";

/** An empty document. Its name among documents is never looked at, and chance is dear: all have the same. */
export const newDocument = (): Y.Doc => new Y.Doc({ guid: "draft" });
