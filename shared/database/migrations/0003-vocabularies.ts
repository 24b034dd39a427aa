/** Imported entries of vocabularies, and their words. Shipped entries are not in the database. */
export const vocabularies = `
CREATE TABLE vocabulary_entry (
  number INTEGER PRIMARY KEY, type TEXT NOT NULL, id TEXT NOT NULL, entry TEXT NOT NULL, sort_title TEXT NOT NULL,
  created INTEGER NOT NULL, updated INTEGER NOT NULL, revision_id INTEGER NOT NULL, UNIQUE (type, id)) STRICT;
CREATE INDEX vocabulary_entry_title ON vocabulary_entry(type, sort_title, id);
CREATE INDEX vocabulary_entry_created ON vocabulary_entry(type, created, id);
CREATE VIRTUAL TABLE vocabulary_words USING fts5(
  kind, words, others, content='', contentless_delete=1, prefix='2 3', tokenize='unicode61 remove_diacritics 0');
`;
