import { sql } from "kysely";
import type { Db } from "../../shared/database/open.ts";

/** The distinct bytes that files here stand for. */
export async function listFileBytes(db: Db): Promise<{ sha256: string; size: number }[]> {
  const rows = await db
    .selectFrom("file_entry")
    .select(["sha256", "size"])
    .distinct()
    .where("sha256", "is not", null)
    .execute();
  return rows.map(({ sha256, size }) => ({ sha256: sha256 ?? "", size: size ?? 0 }));
}

/** Size of the database file in bytes. */
export async function readDatabaseSize(db: Db): Promise<number> {
  const pages = await sql<{ bytes: number }>`select page_count * page_size as bytes
    from pragma_page_count(), pragma_page_size()`.execute(db);
  return pages.rows[0]?.bytes ?? 0;
}
