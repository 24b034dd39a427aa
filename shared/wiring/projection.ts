import { isPostgres } from "../database/dialect.ts";
import type { Tx } from "../database/open.ts";
import type { ObjectRef } from "../kernel/object-ref.ts";
import { reindexFamily } from "../search/sqlite/record-index.ts";

/**
 * Brings everything derived from an object up to date, in the transaction that changed it. PostgreSQL has no index: the
 * feed brings changes to the index of each process.
 */
export async function project(tx: Tx, touched: ObjectRef[]): Promise<void> {
  if (isPostgres(tx)) return;
  const families = new Set(touched.filter(({ kind }) => kind === "family").map(({ id }) => id));
  for (const id of families) await reindexFamily(tx, id);
}
