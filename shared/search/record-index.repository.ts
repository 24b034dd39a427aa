import { sql } from "kysely";
import type { Db } from "../database/open.ts";
import type { SearchDocRow } from "../database/schema.ts";
import type { FamilyRows } from "./record-document.ts";

/** Everything under a parent that is searched; undefined when there is no such parent. */
export async function findFamily(db: Db, parentId: string): Promise<FamilyRows | undefined> {
  const parent = await db.selectFrom("parent").selectAll().where("id", "=", parentId).executeTakeFirst();
  if (!parent) return undefined;
  const records = await db
    .selectFrom("record")
    .selectAll()
    .where("parent_id", "=", parentId)
    .where("tombstone", "is", null)
    .execute();
  const drafts = await db.selectFrom("draft").selectAll().where("parent_id", "=", parentId).execute();
  const files = await db
    .selectFrom("file_entry")
    .selectAll()
    .where("parent_id", "=", parentId)
    .where("status", "=", "completed")
    .orderBy("position")
    .execute();
  const usage = await db.selectFrom("usage").selectAll().where("parent_id", "=", parentId).execute();
  return { parent, records, drafts, files, usage };
}

/** Ids of families with rows or with traces in the index, from one on. */
export async function listFamilyIds(db: Db, after: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from (
    select id from (select id from parent where id > ${after} order by id limit ${limit})
    union select id from (
      select distinct parent_id as id from search_doc where parent_id > ${after} order by parent_id limit ${limit}))
    order by id limit ${limit}`.execute(db);
  return rows.map((row) => row.id);
}

/** Ids of families that have rows and nothing in the index. */
export async function listUnindexed(db: Db, after: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from parent where id > ${after}
    and not exists (select 1 from search_doc where parent_id = parent.id) order by id limit ${limit}`.execute(db);
  return rows.map((row) => row.id);
}

export const findIndexVersion = async (db: Db): Promise<string | undefined> =>
  (await db.selectFrom("setting").select("value").where("name", "=", "search.version").executeTakeFirst())?.value;

const storeSetting = (db: Db, name: string, value: string) =>
  db
    .insertInto("setting")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();

/** The index is whole, of this version. */
export async function storeIndexVersion(db: Db, version: string): Promise<void> {
  await storeSetting(db, "search.version", version);
  await db.deleteFrom("setting").where("name", "=", "search.place").execute();
}

/** The last family that a rebuild to this version has written; empty before the first. */
export async function findRebuildPlace(db: Db, version: string): Promise<string> {
  const row = await db.selectFrom("setting").select("value").where("name", "=", "search.place").executeTakeFirst();
  return row?.value.startsWith(`${version} `) ? row.value.slice(version.length + 1) : "";
}

export const storeRebuildPlace = (db: Db, version: string, familyId: string) =>
  storeSetting(db, "search.place", `${version} ${familyId}`);

export async function countFamilies(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom("parent")
    .select((all) => all.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

export const listDocs = (db: Db, parentId: string) =>
  db
    .selectFrom("search_doc")
    .select(["doc", "kind", "object_id", "text_hash", "is_live"])
    .where("parent_id", "=", parentId)
    .execute();

export async function nextSeq(db: Db): Promise<number> {
  const row = await db
    .selectFrom("search_doc")
    .select((all) => all.fn.max("seq").as("seq"))
    .executeTakeFirst();
  return Number(row?.seq ?? 0) + 1;
}

export async function upsertDoc(db: Db, row: Omit<SearchDocRow, "doc">): Promise<number> {
  const { doc } = await db
    .insertInto("search_doc")
    .values(row)
    .onConflict((conflict) => conflict.columns(["kind", "object_id"]).doUpdateSet(row))
    .returning("doc")
    .executeTakeFirstOrThrow();
  return doc;
}

export async function markDead(db: Db, doc: number, seq: number): Promise<void> {
  await db.updateTable("search_doc").set({ is_live: 0, seq, text_hash: "" }).where("doc", "=", doc).execute();
  await deleteText(db, doc);
  await db.deleteFrom("search_term").where("doc", "=", doc).execute();
  await db.deleteFrom("search_number").where("doc", "=", doc).execute();
}

export async function deleteText(db: Db, doc: number): Promise<void> {
  await sql`delete from search_text where rowid = ${doc}`.execute(db);
}

export async function insertText(db: Db, doc: number, columns: readonly string[]): Promise<void> {
  const names = sql.raw(columns.map((_, at) => (at === columns.length - 1 ? "coded" : `c${at}`)).join(", "));
  await sql`insert into search_text (rowid, ${names}) values (${doc}, ${sql.join(columns)})`.execute(db);
}

/** Adds tokens to the list of all tokens. */
export async function addTokens(db: Db, tokens: ReadonlySet<string>): Promise<void> {
  if (tokens.size === 0) return;
  await sql`insert or ignore into search_token (token)
    select value from json_each(${JSON.stringify([...tokens])})`.execute(db);
}

/** The numbers of paths, new ones included. */
export async function pathIds(db: Db, paths: readonly string[]): Promise<Map<string, number>> {
  const list = JSON.stringify(paths);
  const known = () =>
    sql<{
      id: number;
      path: string;
    }>`select id, path from search_path where path in (select value from json_each(${list}))`.execute(db);
  let { rows } = await known();
  if (rows.length < paths.length) {
    await sql`insert or ignore into search_path (path) select value from json_each(${list})`.execute(db);
    rows = (await known()).rows;
  }
  return new Map(rows.map((row) => [row.path, row.id]));
}

export type TermEntry = [path: number, text: string];
export type NumberEntry = [path: number, low: number, high: number];

/** Brings the terms of a document to the given ones; unchanged ones are not written. */
export async function replaceTerms(db: Db, doc: number, wanted: readonly TermEntry[]): Promise<void> {
  const old = await db.selectFrom("search_term").select(["path", "text"]).where("doc", "=", doc).execute();
  const keyOf = (path: number, text: string) => `${path} ${text}`;
  const kept = new Set(wanted.map(([path, text]) => keyOf(path, text)));
  const had = new Set(old.map((row) => keyOf(row.path, row.text)));
  const gone = old.filter((row) => !kept.has(keyOf(row.path, row.text))).map((row) => [row.path, row.text]);
  const added = wanted.filter(([path, text]) => !had.has(keyOf(path, text)));
  if (gone.length > 0) {
    await sql`delete from search_term where doc = ${doc} and (path, text) in
      (select value ->> 0, value ->> 1 from json_each(${JSON.stringify(gone)}))`.execute(db);
  }
  if (added.length > 0) {
    await sql`insert or ignore into search_term (path, text, doc)
      select value ->> 0, value ->> 1, ${doc} from json_each(${JSON.stringify(added)})`.execute(db);
  }
}

/** As `replaceTerms` for numbers, instants and days; open ends are infinite. */
export async function replaceNumbers(db: Db, doc: number, wanted: readonly NumberEntry[]): Promise<void> {
  const old = await db.selectFrom("search_number").select(["path", "low", "high"]).where("doc", "=", doc).execute();
  const keys = (entries: readonly NumberEntry[]) =>
    [...new Set(entries.map((entry) => entry.join(" ")))].sort().join("\n");
  if (keys(old.map((row) => [row.path, row.low, row.high])) === keys(wanted)) return;
  if (old.length > 0) await db.deleteFrom("search_number").where("doc", "=", doc).execute();
  // JSON has no infinity: an open end travels as null.
  await sql`insert or ignore into search_number (path, low, high, doc)
    select value ->> 0, coalesce(value ->> 1, -9e999), coalesce(value ->> 2, 9e999), ${doc}
    from json_each(${JSON.stringify(wanted)})`.execute(db);
}

const idsIn = (ids: readonly string[]) => sql<string>`(select value from json_each(${JSON.stringify(ids)}))`;

/** What is indexed of several families. */
export const listDocsOf = (db: Db, parentIds: readonly string[]) =>
  db
    .selectFrom("search_doc")
    .select(["doc", "kind", "object_id", "parent_id"])
    .where("parent_id", "in", idsIn(parentIds))
    .where("is_live", "=", 1)
    .execute();

export const listUsageOf = (db: Db, parentIds: readonly string[]) =>
  db.selectFrom("usage").selectAll().where("parent_id", "in", idsIn(parentIds)).execute();

export const updateUsage = (db: Db, doc: number, row: Pick<SearchDocRow, "views" | "downloads" | "seq">) =>
  db.updateTable("search_doc").set(row).where("doc", "=", doc).execute();

/** Puts numbers in place of those that documents had at the same paths; each has one at most. */
export async function replaceUsageNumbers(
  db: Db,
  numbers: readonly (readonly [path: number, value: number, doc: number])[],
): Promise<void> {
  const list = JSON.stringify(numbers);
  await sql`delete from search_number where (doc, path) in
    (select value ->> 2, value ->> 0 from json_each(${list}))`.execute(db);
  await sql`insert into search_number (path, low, high, doc)
    select value ->> 0, value ->> 1, value ->> 1, value ->> 2 from json_each(${list})`.execute(db);
}
