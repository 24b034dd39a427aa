import { sortTitleOf, wordsOfEntry } from "./entry-words.ts";
import type { NewEntry } from "./vocabulary.repository.ts";
import type { VocabularyEntry, VocabularyType } from "./vocabulary.schema.ts";

/** The stored form of an entry: itself, its sort key, and its words. */
export const newEntry = (type: VocabularyType, entry: VocabularyEntry): NewEntry => ({
  type,
  id: entry.id,
  entry: JSON.stringify(entry),
  sort_title: sortTitleOf(entry),
  ...wordsOfEntry(entry),
});
