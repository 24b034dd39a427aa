import type { Db } from "../../shared/database/open.ts";
import { listTakenIds } from "./id-lease.repository.ts";

/** Different ids that nobody has. One query looks them all up: on PostgreSQL each query is a round trip. */
export async function findFreeIds(db: Db, newId: () => string, count: number): Promise<string[]> {
  const ids = new Set<string>();
  while (ids.size < count) {
    const found = Array.from({ length: count - ids.size }, newId);
    const taken = new Set(await listTakenIds(db, found));
    for (const id of found) if (!taken.has(id)) ids.add(id);
  }
  return [...ids];
}
