import type { Db } from "../../shared/database/open.ts";
import { listTakenIds } from "./id-lease.repository.ts";

/** Different ids that nobody has. All are looked up at once, since each query is a way to the database. */
export async function findFreeIds(db: Db, newId: () => string, count: number): Promise<string[]> {
  const ids = new Set<string>();
  while (ids.size < count) {
    const found = Array.from({ length: count - ids.size }, newId);
    const taken = new Set(await listTakenIds(db, found));
    for (const id of found) if (!taken.has(id)) ids.add(id);
  }
  return [...ids];
}
