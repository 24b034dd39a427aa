import { type Db, transaction } from "../database/open.ts";
import { isReadColumn, readImportedRow } from "./entry-import.schema.ts";
import { newEntry } from "./entry-row.ts";
import { importRows } from "./import-rows.ts";
import { referencesOf, withReferredNames } from "./referred-names.ts";
import { storeEntry } from "./vocabulary.repository.ts";
import type { VocabularyEntry, VocabularyType } from "./vocabulary.schema.ts";
import { lookups } from "./vocabulary.service.ts";

export interface ImportProgress {
  added: number;
  updated: number;
  refused: number;
}

export interface ImportOptions {
  db: Db;
  type: VocabularyType;
  /** A `.json` (array), `.jsonl` or `.csv` file. */
  file: string;
  /** Microseconds UTC. */
  now(): number;
  /** Called for each refused row, with the line on which it begins. */
  onRefused(line: number, reason: string): void;
  /** Called for each named column of a CSV file that the vocabulary does not have. */
  onUnknownColumn?(line: number, column: string): void;
  /** Called after each stored batch. */
  onProgress?(progress: ImportProgress): void;
}

const batchRows = 500;

/**
 * Adds or updates the entries of a vocabulary from a file (hosts-and-sync 2). Each batch is a transaction of its own:
 * an interrupted import is simply run again. A refused row does not stop the import.
 */
export async function importVocabulary(options: ImportOptions): Promise<ImportProgress> {
  const { db, type, file } = options;
  const progress: ImportProgress = { added: 0, updated: 0, refused: 0 };
  let batch: VocabularyEntry[] = [];

  const refuse = (line: number, reason: string): void => {
    progress.refused += 1;
    options.onRefused(line, reason);
  };
  const store = async (): Promise<void> => {
    const entries = batch;
    batch = [];
    await transaction(db, async (tx) => {
      // Read under the write lock, so that changes have the order in which replicas fetch them.
      const now = options.now();
      // Searches find an entry by the names of those it refers to.
      const referred = await lookups(tx, entries.flatMap(referencesOf));
      for (const entry of entries) {
        const isNew = await storeEntry(tx, newEntry(type, withReferredNames(entry, referred)), now);
        progress[isNew ? "added" : "updated"] += 1;
      }
    });
    options.onProgress?.({ ...progress });
  };

  for await (const { line, value, problem, columns } of importRows(file)) {
    if (columns !== undefined) {
      const unknown = columns.filter((name) => name !== "" && !isReadColumn(type, name));
      for (const name of unknown) options.onUnknownColumn?.(line, name);
      continue;
    }
    if (problem !== undefined) {
      refuse(line, problem);
      continue;
    }
    const read = readImportedRow(type, value);
    if ("refusal" in read) refuse(line, read.refusal);
    else batch.push(read.entry);
    if (batch.length >= batchRows) await store();
  }
  if (batch.length > 0) await store();
  return progress;
}
