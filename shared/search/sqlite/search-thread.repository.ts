import { sql } from "kysely";
import type { Db } from "../../database/open.ts";

/** From so many documents on, a search may block the event loop for too long. */
const largeIndex = 10_000;

/** The file of a database whose index is large; undefined for small ones, and for those that are in memory. */
export async function findLargeIndexFile(db: Db): Promise<string | undefined> {
  const { rows: sizes } = await sql<{ size: number | null }>`select max(doc) as size from search_doc`.execute(db);
  if ((sizes[0]?.size ?? 0) < largeIndex) return undefined;
  const { rows } = await sql<{ name: string; file: string }>`pragma database_list`.execute(db);
  return rows.find(({ name }) => name === "main")?.file || undefined;
}
