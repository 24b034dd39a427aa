import type { Tx } from "../database/open.ts";
import type { ObjectRef } from "../kernel/object-ref.ts";
import { reindexFamily } from "../search/sqlite/record-index.ts";

/** Brings everything derived from an object up to date, in the transaction that changed it. */
export async function project(tx: Tx, touched: ObjectRef[]): Promise<void> {
  const families = new Set(touched.filter(({ kind }) => kind === "family").map(({ id }) => id));
  for (const id of families) await reindexFamily(tx, id);
}
