import type { Db } from "../../database/open.ts";

/** Rows of the index that changed after a place, in the order of their changes. */
export const changedDocs = (db: Db, after: { seq: number; doc: number }, limit: number) =>
  db
    .selectFrom("search_doc")
    .selectAll()
    .where((row) =>
      row.or([row("seq", ">", after.seq), row.and([row("seq", "=", after.seq), row("doc", ">", after.doc)])]),
    )
    .where("seq", ">=", after.seq)
    .orderBy("seq")
    .orderBy("doc")
    .limit(limit)
    .execute();
