import { CompiledQuery, sql } from "kysely";
import type { Db } from "../../database/open.ts";
import { prepared, preparedFirst } from "../../database/prepared.ts";
import type { SearchDocRow } from "../../database/schema.ts";
import { deleteSetting, findSetting, storeSetting } from "../../database/setting.repository.ts";
import { deleteNumbers, deleteTerms } from "./index-entries.repository.ts";

/** Ids of families with rows or with index rows, after an id. */
export async function listFamilyIds(db: Db, after: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from (
    select id from (select id from parent where id > ${after} order by id limit ${limit})
    union select id from (
      select distinct parent_id as id from search_doc where parent_id > ${after} order by parent_id limit ${limit}))
    order by id limit ${limit}`.execute(db);
  return rows.map((row) => row.id);
}

/** Ids of families with rows and without index rows. */
export async function listUnindexed(db: Db, after: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from parent where id > ${after}
    and not exists (select 1 from search_doc where parent_id = parent.id) order by id limit ${limit}`.execute(db);
  return rows.map((row) => row.id);
}

const versionName = "search.version";
const placeName = "search.place";

export const findIndexVersion = (db: Db): Promise<string | undefined> => findSetting(db, versionName);

/** Notes that the index is complete, in this version. */
export async function storeIndexVersion(db: Db, version: string): Promise<void> {
  await storeSetting(db, versionName, version);
  await deleteSetting(db, placeName);
}

/** The last family that a rebuild to this version has written; empty before the first. */
export async function findRebuildPlace(db: Db, version: string): Promise<string> {
  const place = await findSetting(db, placeName);
  return place?.startsWith(`${version} `) ? place.slice(version.length + 1) : "";
}

export const storeRebuildPlace = (db: Db, version: string, familyId: string) =>
  storeSetting(db, placeName, `${version} ${familyId}`);

export async function countFamilies(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom("parent")
    .select((all) => all.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

const docsAndSeq = prepared(
  (_db, parentId: string) => sql<Partial<KnownDoc> & { last: number | null }>`
    select doc, kind, object_id, text_hash, is_live, ends.last from (select max(seq) as last from search_doc) as ends
      left join search_doc on parent_id = ${parentId}`,
);
/** A row of the index before the update. */
export type KnownDoc = Pick<SearchDocRow, "kind" | "object_id" | "text_hash" | "is_live"> & { doc: number };

/** The index rows of a family, and the number of the next change. */
export async function listDocs(db: Db, parentId: string): Promise<{ known: KnownDoc[]; seq: number }> {
  const rows = await docsAndSeq(db, parentId);
  // Without any row of the family there is one that has the number alone.
  return { known: rows.filter((row): row is typeof row & KnownDoc => row.doc != null), seq: (rows[0]?.last ?? 0) + 1 };
}

const findLastSeq = preparedFirst((db) => db.selectFrom("search_doc").select((all) => all.fn.max("seq").as("seq")));

export const nextSeq = async (db: Db): Promise<number> => Number((await findLastSeq(db))?.seq ?? 0) + 1;

type NewDoc = Omit<SearchDocRow, "doc">;

const insertDoc = preparedFirst((db, row: NewDoc) =>
  db
    .insertInto("search_doc")
    .values(row)
    .onConflict((conflict) => conflict.columns(["kind", "object_id"]).doNothing())
    .returning("doc"),
);
const findDoc = preparedFirst((db, kind: NewDoc["kind"], id: string) =>
  db.selectFrom("search_doc").select("doc").where("kind", "=", kind).where("object_id", "=", id),
);
const updateDoc = prepared((db, doc: number, row: NewDoc) =>
  db.updateTable("search_doc").set(row).where("doc", "=", doc),
);

const takeFromSearch = prepared((db, doc: number, seq: number) =>
  db.updateTable("search_doc").set({ is_live: 0, seq, text_hash: "" }).where("doc", "=", doc),
);

export async function markDead(db: Db, doc: number, seq: number): Promise<void> {
  await takeFromSearch(db, doc, seq);
  await deleteText(db, doc);
  await deleteTerms(db, doc);
  await deleteNumbers(db, doc);
}

/** Inserts or replaces the row of a document. Returns its number. */
export async function storeDoc(db: Db, row: NewDoc, known: number | undefined): Promise<number> {
  const inserted = known === undefined ? (await insertDoc(db, row))?.doc : undefined;
  if (inserted !== undefined) return inserted;
  // Two families may use one id, until this replica gives its own draft another one.
  const doc = known ?? (await findDoc(db, row.kind, row.object_id))?.doc ?? 0;
  if (known === undefined) await markDead(db, doc, row.seq);
  await updateDoc(db, doc, row);
  return doc;
}

const deleteText = prepared((_db, doc: number) => sql`delete from search_text where rowid = ${doc}`);

/** Inserts or replaces the text of a document. */
export async function storeText(db: Db, doc: number, columns: readonly string[]): Promise<void> {
  const names = columns.map((_, at) => (at === columns.length - 1 ? "coded" : `c${at}`)).join(", ");
  const places = columns.map(() => "?").join(", ");
  const text = `insert or replace into search_text (rowid, ${names}) values (?, ${places})`;
  await db.executeQuery(CompiledQuery.raw(text, [doc, ...columns]));
}

const idsIn = (ids: readonly string[]) => sql<string>`(select value from json_each(${JSON.stringify(ids)}))`;

/** The index rows of some families. */
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

/** Replaces the numbers of documents at some paths; a document has at most one at each. */
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
