import { sql } from "kysely";
import type { Db } from "../../database/open.ts";
import { prepared } from "../../database/prepared.ts";
import { longSliceMs, Slices } from "../../kernel/time-slice.ts";

export const deleteTerms = prepared((db, doc: number) => db.deleteFrom("search_term").where("doc", "=", doc));
export const deleteNumbers = prepared((db, doc: number) => db.deleteFrom("search_number").where("doc", "=", doc));

const insertTokens = prepared(
  (_db, list: string) => sql`insert or ignore into search_token (token) select value from json_each(${list})`,
);

/** Adds tokens to the list of all tokens. */
export async function addTokens(db: Db, tokens: ReadonlySet<string>): Promise<void> {
  for await (const part of partsOf([...tokens])) await insertTokens(db, JSON.stringify(part));
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

/** Gives numbers to paths that have none, and returns those of all. */
async function addPaths(db: Db, paths: readonly string[]): Promise<Map<string, number>> {
  const list = JSON.stringify(paths);
  await insertPaths(db, list);
  return new Map((await listPaths(db, list)).map((row) => [row.path, row.id]));
}

/** The numbers of paths, new ones included. */
export async function pathIds(db: Db, paths: readonly string[]): Promise<Map<string, number>> {
  const rows = await listPaths(db, JSON.stringify(paths));
  return rows.length < paths.length ? addPaths(db, paths) : new Map(rows.map((row) => [row.path, row.id]));
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
  select 0 as part, path, text, null as low, null as high from search_term where doc = ${doc}
  union all select 0, path, null, low, high from search_number where doc = ${doc}`;

const listEntries = prepared((_db, doc: number) => sql<EntryRow>`${entries(doc)}`);
/** What stands in the index: names of paths (1), tokens that it lacks (2), entries of the document (0). */
interface ComparedRow extends EntryRow {
  part: 0 | 1 | 2;
}

const listCompared = prepared(
  (_db, names: string, tokens: string, doc: number) => sql<ComparedRow>`
    select 1 as part, id as path, path as text, null as low, null as high from search_path
      where path in (select value from json_each(${names}))
    union all select 2, 0, value, null, null from json_each(${tokens})
      where not exists (select 1 from search_token where token = value)
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

/** More tokens than these are not looked up before they are added. */
const maxLookedUp = 2000;

/** What the index knows of a new or changed document. */
interface Compared {
  /** The numbers of its paths, new ones included. */
  ids: Map<string, number>;
  /** Tokens of the document that the index may lack. */
  newTokens: ReadonlySet<string>;
  /** What the index has of it. */
  had: Indexed;
}

export async function compareWithIndex(
  db: Db,
  paths: readonly string[],
  tokens: ReadonlySet<string>,
  doc: number | undefined,
): Promise<Compared> {
  const lookedUp = tokens.size > maxLookedUp ? [] : [...tokens];
  // No document has a number below 1.
  const rows = await listCompared(db, JSON.stringify(paths), JSON.stringify(lookedUp), doc ?? 0);
  const names = rows.filter(({ part }) => part === 1);
  const lacking = rows.filter(({ part }) => part === 2).map(({ text }) => text ?? "");
  const isComplete = names.length === paths.length;
  return {
    ids: isComplete ? new Map(names.map(({ path, text }) => [text ?? "", path])) : await addPaths(db, paths),
    newTokens: tokens.size > maxLookedUp ? tokens : new Set(lacking),
    had: indexedOf(rows.filter(({ part }) => part === 0)),
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
