import { sql } from "kysely";
import type { Db } from "../../shared/database/open.ts";

/** Every family that exists or that the index has. */
export async function listIndexedFamilies(db: Db): Promise<string[]> {
  const { rows } = await sql<{
    id: string;
  }>`select id from parent union select parent_id from search_doc order by 1`.execute(db);
  return rows.map(({ id }) => id);
}

const dumps = [
  "select * from search_doc where parent_id = $ order by doc",
  "select rowid, * from search_text where rowid in (select doc from search_doc where parent_id = $) order by 1",
  "select * from search_term where doc in (select doc from search_doc where parent_id = $) order by 1, 2, 3",
  "select * from search_number where doc in (select doc from search_doc where parent_id = $) order by 1, 2, 3, 4",
];

/** The index content of a family as text, without positions of changes. */
export async function dumpFamily(db: Db, parentId: string): Promise<string> {
  const parts: unknown[] = [];
  for (const query of dumps) {
    const [before = "", after = ""] = query.split("$");
    const { rows } = await sql<Record<string, unknown>>`${sql.raw(before)}${parentId}${sql.raw(after)}`.execute(db);
    parts.push(rows.map((row) => ({ ...row, seq: undefined })));
  }
  return JSON.stringify(parts);
}

/** Clears the index of a family but keeps its document numbers. */
export async function clearFamily(db: Db, parentId: string): Promise<void> {
  const docs = sql`(select doc from search_doc where parent_id = ${parentId})`;
  await sql`delete from search_text where rowid in ${docs}`.execute(db);
  await sql`delete from search_term where doc in ${docs}`.execute(db);
  await sql`delete from search_number where doc in ${docs}`.execute(db);
  await sql`update search_doc set text_hash = '' where parent_id = ${parentId}`.execute(db);
}

export async function countTokens(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from search_token`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Whether FTS finds its own tables intact. */
export async function isTextSound(db: Db): Promise<boolean> {
  try {
    await sql`insert into search_text(search_text) values('integrity-check')`.execute(db);
    return true;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code.startsWith("SQLITE_CORRUPT")) return false;
    throw error;
  }
}

export async function rebuildText(db: Db): Promise<void> {
  await sql`insert into search_text(search_text) values('rebuild')`.execute(db);
}
