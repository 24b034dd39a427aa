import { CompiledQuery, sql } from "kysely";
import type { Db } from "../../database/open.ts";
import { prepared, preparedFirst } from "../../database/prepared.ts";
import type { SearchDocRow } from "../../database/schema.ts";
import { deleteSetting, findSetting, storeSetting } from "../../database/setting.repository.ts";
import { longSliceMs, Slices } from "../../kernel/time-slice.ts";

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
const deleteTerms = prepared((db, doc: number) => db.deleteFrom("search_term").where("doc", "=", doc));
const deleteNumbers = prepared((db, doc: number) => db.deleteFrom("search_number").where("doc", "=", doc));

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

const insertTokens = prepared(
  (_db, list: string) => sql`insert or ignore into search_token (token) select value from json_each(${list})`,
);

/** Adds tokens to the list of all tokens. */
export async function addTokens(db: Db, tokens: ReadonlySet<string>): Promise<void> {
  if (tokens.size > 0) await insertTokens(db, JSON.stringify([...tokens]));
}

const listPaths = prepared(
  (_db, list: string) =>
    sql<{
      id: number;
      path: string;
    }>`select id, path from search_path where path in (select value from json_each(${list}))`,
);
const insertPaths = prepared(
  (_db, list: string) => sql`insert or ignore into search_path (path) select value from json_each(${list})`,
);

/** The numbers of paths, new ones included. */
export async function pathIds(db: Db, paths: readonly string[]): Promise<Map<string, number>> {
  const list = JSON.stringify(paths);
  let rows = await listPaths(db, list);
  if (rows.length < paths.length) {
    await insertPaths(db, list);
    rows = await listPaths(db, list);
  }
  return new Map(rows.map((row) => [row.path, row.id]));
}

export type TermEntry = [path: number, text: string];
export type NumberEntry = [path: number, low: number, high: number];

interface EntryRow {
  path: number;
  text: string | null;
  low: number;
  high: number;
}

const entries = (doc: number) => sql`
  select 0 as is_name, path, text, null as low, null as high from search_term where doc = ${doc}
  union all select 0, path, null, low, high from search_number where doc = ${doc}`;

const listEntries = prepared((_db, doc: number) => sql<EntryRow>`${entries(doc)}`);
const listNamesAndEntries = prepared(
  (_db, names: string, doc: number) => sql<EntryRow & { is_name: 0 | 1 }>`
    select 1 as is_name, id as path, path as text, null as low, null as high from search_path
      where path in (select value from json_each(${names}))
    union all ${entries(doc)}`,
);

/** What a document has in the index. */
export interface Indexed {
  terms: TermEntry[];
  numbers: NumberEntry[];
}

function indexedOf(rows: readonly EntryRow[]): Indexed {
  const indexed: Indexed = { terms: [], numbers: [] };
  for (const { path, text, low, high } of rows) {
    if (text === null) indexed.numbers.push([path, low, high]);
    else indexed.terms.push([path, text]);
  }
  return indexed;
}

export const listIndexed = async (db: Db, doc: number): Promise<Indexed> => indexedOf(await listEntries(db, doc));

/** The numbers of paths, new ones included, and what a document has in the index. */
export async function pathIdsAndIndexed(
  db: Db,
  paths: readonly string[],
  doc: number,
): Promise<{ ids: Map<string, number>; had: Indexed }> {
  const rows = await listNamesAndEntries(db, JSON.stringify(paths), doc);
  const names = rows.filter((row) => row.is_name === 1);
  const had = indexedOf(rows.filter((row) => row.is_name === 0));
  const isComplete = names.length === paths.length;
  return {
    ids: isComplete ? new Map(names.map(({ path, text }) => [text ?? "", path])) : await pathIds(db, paths),
    had,
  };
}

const deleteSomeTerms = prepared(
  (_db, doc: number, removed: string) => sql`delete from search_term where doc = ${doc} and (path, text) in
    (select value ->> 0, value ->> 1 from json_each(${removed}))`,
);
const insertTerms = prepared(
  (_db, doc: number, added: string) => sql`insert or ignore into search_term (path, text, doc)
    select value ->> 0, value ->> 1, ${doc} from json_each(${added})`,
);

/** Replaces the terms of a document; writes only the changes. A new document has none yet. */
export async function replaceTerms(
  db: Db,
  doc: number,
  wanted: readonly TermEntry[],
  old: readonly TermEntry[],
): Promise<void> {
  const slices = new Slices(longSliceMs);
  const keyOf = (path: number, text: string) => `${path} ${text}`;
  await slices.next();
  const kept = new Set(wanted.map(([path, text]) => keyOf(path, text)));
  await slices.next();
  const had = new Set(old.map(([path, text]) => keyOf(path, text)));
  await slices.next();
  const removed = old.filter(([path, text]) => !kept.has(keyOf(path, text)));
  const added = wanted.filter(([path, text]) => !had.has(keyOf(path, text)));
  for await (const part of partsOf(removed)) await deleteSomeTerms(db, doc, JSON.stringify(part));
  for await (const part of partsOf(added)) await insertTerms(db, doc, JSON.stringify(part));
}

/** So many rows are written before it yields to the event loop. */
const rowsAtOnce = 2000;

/** Long lists a part at a time; the thread may be given up before each. */
async function* partsOf<T>(rows: readonly T[]): AsyncGenerator<readonly T[]> {
  const slices = new Slices(longSliceMs);
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    await slices.next();
    yield rows.slice(at, at + rowsAtOnce);
  }
}

// JSON has no infinity: an open end travels as null.
const insertNumbers = prepared(
  (_db, doc: number, list: string) => sql`insert or ignore into search_number (path, low, high, doc)
    select value ->> 0, coalesce(value ->> 1, -9e999), coalesce(value ->> 2, 9e999), ${doc}
    from json_each(${list})`,
);

/** Only by the index on documents: a path alone has entries of all of them. */
const changeNumbers = prepared(
  (_db, doc: number, list: string) => sql`update search_number indexed by search_number_doc
    set low = coalesce(changed.value ->> 1, -9e999), high = coalesce(changed.value ->> 2, 9e999)
    from json_each(${list}) as changed where search_number.doc = ${doc} and search_number.path = changed.value ->> 0`,
);

const keyOfNumber = (entry: NumberEntry): string => entry.join(" ");
const pathsOf = (entries: readonly NumberEntry[]): string =>
  entries
    .map(([path]) => path)
    .sort((one, other) => one - other)
    .join();

/** As `replaceTerms` for numbers, instants and days; open ends are infinite. */
export async function replaceNumbers(
  db: Db,
  doc: number,
  wanted: readonly NumberEntry[],
  old: readonly NumberEntry[],
): Promise<void> {
  const had = new Set(old.map(keyOfNumber));
  const keys = new Set(wanted.map(keyOfNumber));
  const changed = wanted.filter((entry) => !had.has(keyOfNumber(entry)));
  if (changed.length === 0 && had.size === keys.size) return;
  const isOneEach = new Set(wanted.map(([path]) => path)).size === wanted.length && pathsOf(wanted) === pathsOf(old);
  if (isOneEach) {
    await changeNumbers(db, doc, JSON.stringify(changed));
    return;
  }
  if (old.length > 0) await deleteNumbers(db, doc);
  await insertNumbers(db, doc, JSON.stringify(wanted));
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
