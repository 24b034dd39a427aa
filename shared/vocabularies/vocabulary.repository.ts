import { type Expression, type SqlBool, sql } from "kysely";
import { isPostgres } from "../database/dialect.ts";
import type { Db, Tx } from "../database/open.ts";
import { prepared } from "../database/prepared.ts";
import type { VocabularyEntryRow } from "../database/schema.ts";
import type { EntryReference, VocabularyType } from "./vocabulary.schema.ts";

/** A row as read. */
export type EntryRow = Omit<VocabularyEntryRow, "number"> & { number: number };
/** An entry to store. */
export interface NewEntry {
  type: VocabularyType;
  id: string;
  entry: string;
  sort_title: string;
  words: string;
  others: string;
}

/** A row without the entry itself: enough to order a list by. */
export type EntryKey = Pick<EntryRow, "id" | "sort_title" | "created">;

const idsAtATime = 500;

export const findEntryRow = (db: Db, type: VocabularyType, id: string): Promise<EntryRow | undefined> =>
  db.selectFrom("vocabulary_entry").selectAll().where("type", "=", type).where("id", "=", id).executeTakeFirst();

/** Rows of one type by id, in any order. */
export async function listEntryRows(db: Db, type: VocabularyType, ids: readonly string[]): Promise<EntryRow[]> {
  const rows: EntryRow[] = [];
  for (let start = 0; start < ids.length; start += idsAtATime) {
    const some = ids.slice(start, start + idsAtATime);
    rows.push(
      ...(await db
        .selectFrom("vocabulary_entry")
        .selectAll()
        .where("type", "=", type)
        .where("id", "in", some)
        .execute()),
    );
  }
  return rows;
}

const listPairs = prepared(
  (_db, pairs: string) =>
    sql<Pick<EntryRow, "type" | "id" | "entry">>`select type, id, entry from vocabulary_entry
      where (type, id) in (select value ->> 0, value ->> 1 from json_each(${pairs}))`,
);

/** Entries of several types, in any order. */
export const listReferred = (db: Db, references: readonly EntryReference[]) =>
  listPairs(db, JSON.stringify(references.map(({ type, id }) => [type, id])));

const ofType = (db: Db, type: VocabularyType) => db.selectFrom("vocabulary_entry").where("type", "=", type);

export async function countEntries(db: Db, type: VocabularyType): Promise<number> {
  const row = await ofType(db, type)
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return row.count;
}

/** The first `limit` keys of a type in the given order; ties by id. */
export function listEntryKeys(
  db: Db,
  type: VocabularyType,
  order: { column: "sort_title" | "created"; direction: "asc" | "desc" },
  limit: number,
): Promise<EntryKey[]> {
  return ofType(db, type)
    .select(["id", "sort_title", "created"])
    .orderBy(order.column, order.direction)
    .orderBy("id")
    .limit(limit)
    .execute();
}

type Searched = "words" | "words and others";

function fits(db: Db, type: VocabularyType, words: string, searched: Searched): Expression<SqlBool> {
  if (isPostgres(db)) {
    const column = sql.raw(searched === "words" ? "words" : "(words || others)");
    return sql<SqlBool>`kind = ${type} and ${column} @@ ${tsqueryOf(words)}::tsquery`;
  }
  const columns = searched === "words" ? "words" : "{words others}";
  return sql<SqlBool>`vocabulary_words MATCH ${`kind : "${type}" AND ${columns} : ${words}`}`;
}

/** An FTS5 expression of words in the syntax of PostgreSQL. */
const tsqueryOf = (words: string): string =>
  words
    .replace(/"((?:[^"]|"")*)"(\*?)/g, (_, token: string, star: string) => {
      const text = cut(token.replaceAll('""', '"')).replaceAll("\\", "\\\\").replaceAll("'", "''");
      return `'${text}'${star === "" ? "" : ":*"}`;
    })
    .replaceAll(" AND ", " & ")
    .replaceAll(" OR ", " | ");

/** PostgreSQL refuses words of more than 2,046 bytes. */
const cut = (token: string): string => token.slice(0, 500);

const matching = (db: Db, type: VocabularyType, words: string, searched: Searched) =>
  db
    .selectFrom("vocabulary_words")
    .innerJoin("vocabulary_entry", "vocabulary_entry.number", "vocabulary_words.rowid")
    .where(fits(db, type, words, searched));

/** Counts the suggestible entries with these words (an FTS5 expression). */
export async function countSuggested(db: Db, type: VocabularyType, words: string): Promise<number> {
  const row = await db
    .selectFrom("vocabulary_words")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where(fits(db, type, words, "words"))
    .executeTakeFirstOrThrow();
  return row.count;
}

/** The best `limit` of them by rank. */
export const listSuggested = (db: Db, type: VocabularyType, words: string, limit: number): Promise<EntryRow[]> =>
  matching(db, type, words, "words")
    .selectAll("vocabulary_entry")
    .orderBy(isPostgres(db) ? "vocabulary_entry.sort_title" : "vocabulary_words.rank")
    .limit(limit)
    .execute();

/** Up to `limit` candidate rows after a number; without words, all rows of the type. */
export function listCandidates(
  db: Db,
  type: VocabularyType,
  words: string | undefined,
  after: number,
  limit: number,
): Promise<EntryRow[]> {
  const rows = words === undefined ? ofType(db, type) : matching(db, type, words, "words and others");
  return rows
    .selectAll("vocabulary_entry")
    .where("vocabulary_entry.number", ">", after)
    .orderBy("vocabulary_entry.number")
    .limit(limit)
    .execute();
}

/** The server's times and revision of an entry, which a replica keeps. */
export type EntryVersion = Pick<EntryRow, "created" | "updated" | "revision_id">;

const deleteWords = (tx: Tx, number: number) => tx.deleteFrom("vocabulary_words").where("rowid", "=", number).execute();

async function insertWords(tx: Tx, number: number, { type, words, others }: NewEntry): Promise<void> {
  const form = isPostgres(tx) ? vectorOf : (text: string) => text;
  const row = { rowid: number, kind: type, words: form(words), others: form(others) };
  await tx.insertInto("vocabulary_words").values(row).execute();
}

const vectorOf = (words: string) =>
  sql<string>`array_to_tsvector(array(select value from json_each(${JSON.stringify(words.split(" ").filter(Boolean).map(cut))})))`;

/** Inserts an entry, or replaces the one with the same type and id. Returns whether it is new. */
export async function storeEntry(tx: Tx, entry: NewEntry, now: number): Promise<boolean> {
  const { words: _words, others: _others, ...values } = entry;
  const stored = await tx
    .insertInto("vocabulary_entry")
    .values({ ...values, created: now, updated: now, revision_id: 1 })
    .onConflict((conflict) =>
      conflict.columns(["type", "id"]).doUpdateSet((eb) => ({
        entry: entry.entry,
        sort_title: entry.sort_title,
        updated: now,
        revision_id: eb("vocabulary_entry.revision_id", "+", 1),
      })),
    )
    .returning(["number", "revision_id"])
    .executeTakeFirstOrThrow();
  const isNew = stored.revision_id === 1;
  if (!isNew) await deleteWords(tx, stored.number);
  await insertWords(tx, stored.number, entry);
  return isNew;
}

/** Stores an entry exactly as on the server. */
export async function mirrorEntry(tx: Tx, entry: NewEntry, version: EntryVersion): Promise<void> {
  const { words: _words, others: _others, ...values } = entry;
  const { type: _type, id: _id, ...changed } = values;
  const stored = await tx
    .insertInto("vocabulary_entry")
    .values({ ...values, ...version })
    .onConflict((conflict) => conflict.columns(["type", "id"]).doUpdateSet({ ...changed, ...version }))
    .returning("number")
    .executeTakeFirstOrThrow();
  await deleteWords(tx, stored.number);
  await insertWords(tx, stored.number, entry);
}

/** Deletes every imported entry. */
export async function deleteAllEntries(tx: Tx): Promise<void> {
  await tx.deleteFrom("vocabulary_words").execute();
  await tx.deleteFrom("vocabulary_entry").execute();
}

/** Entries that changed after a position, oldest change first. */
export const listChangedEntries = (db: Db, after: { updated: number; number: number }, limit: number) =>
  db
    .selectFrom("vocabulary_entry")
    .selectAll()
    .where((eb) => eb(eb.refTuple("updated", "number"), ">", eb.tuple(after.updated, after.number)))
    .orderBy("updated")
    .orderBy("number")
    .limit(limit)
    .execute();
