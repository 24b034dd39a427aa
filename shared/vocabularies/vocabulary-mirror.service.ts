import { type Db, type Tx, transaction } from "../database/open.ts";
import { Failure } from "../kernel/failure.ts";
import type { MirroredEntry, VocabularyPage } from "../sync-protocol/vocabularies.schema.ts";
import { newEntry } from "./entry-row.ts";
import { deleteAllEntries, listChangedEntries, mirrorEntry } from "./vocabulary.repository.ts";
import type { VocabularyEntry, VocabularyType } from "./vocabulary.schema.ts";

/** Position before the first change. */
export const vocabularyStart = "0.0";

function positionOf(cursor: string): { updated: number; number: number } {
  const [, updated, number] = /^(\d{1,16})\.(\d{1,16})$/.exec(cursor) ?? [];
  if (updated === undefined || number === undefined) throw new Failure("invalid", "The cursor could not be read.");
  return { updated: Number(updated), number: Number(number) };
}

/**
 * On the server: imported entries that changed after a cursor. Replicas validate with them offline.
 * @throws Failure 400 for a cursor that is not from this server.
 */
export async function readVocabularyPage(db: Db, cursor: string, limit: number): Promise<VocabularyPage> {
  const rows = await listChangedEntries(db, positionOf(cursor), limit + 1);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const entries = page.map(({ type, entry, created, updated, revision_id }) => ({
    type: type as VocabularyType,
    entry: JSON.parse(entry) as VocabularyEntry,
    created,
    updated,
    revision_id,
  }));
  return { entries, cursor: last ? `${last.updated}.${last.number}` : cursor, more: rows.length > limit };
}

/** On the replica: stores the entries of a page unchanged. */
export const keepVocabularyPage = (db: Db, entries: readonly MirroredEntry[]): Promise<void> =>
  transaction(db, async (tx) => {
    for (const { type, entry, ...version } of entries) await mirrorEntry(tx, newEntry(type, entry), version);
  });

/** Deletes the entries of one server before those of another are stored. */
export const forgetMirroredEntries = (db: Db): Promise<void> => transaction(db, deleteAllEntries);

const entriesAtOnce = 500;

/** Makes the searched words of all entries again, for entries that were copied from another database. */
export async function makeWordsAgain(tx: Tx): Promise<void> {
  for (let after = { updated: -1, number: 0 }; ; ) {
    const rows = await listChangedEntries(tx, after, entriesAtOnce);
    for (const { type, entry, created, updated, revision_id } of rows) {
      await mirrorEntry(tx, newEntry(type as VocabularyType, JSON.parse(entry)), { created, updated, revision_id });
    }
    const last = rows.at(-1);
    if (!last || rows.length < entriesAtOnce) return;
    after = last;
  }
}
