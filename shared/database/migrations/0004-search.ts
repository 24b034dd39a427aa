const columns = Array.from({ length: 26 }, (_, index) => `c${index}`).join(", ");

/**
 * The index of records and drafts (search 12). `search_text`: one column for each default text field, then `coded`:
 * tokens that begin with the code of their path. Tokens come from our own analysis, so the tokenizer only splits on
 * blanks. `search_term`: keywords and booleans. `search_number`: numbers, instants, days. `search_doc`: columns for
 * sorting, counting and permissions. Its rows are never deleted, only marked dead, so that readers can follow `seq`.
 */
export const search = `
CREATE VIRTUAL TABLE search_text USING fts5(${columns}, coded, tokenize = "ascii tokenchars '_.,'''", prefix = '2 3');
CREATE VIRTUAL TABLE search_word USING fts5vocab(search_text, 'row');
CREATE TABLE search_path (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE search_term (
  path INTEGER NOT NULL, text TEXT NOT NULL, doc INTEGER NOT NULL, PRIMARY KEY (path, text, doc)) STRICT, WITHOUT ROWID;
CREATE INDEX search_term_doc ON search_term(doc);
CREATE TABLE search_number (
  path INTEGER NOT NULL, low REAL NOT NULL, high REAL NOT NULL, doc INTEGER NOT NULL,
  PRIMARY KEY (path, low, high, doc)) STRICT, WITHOUT ROWID;
CREATE INDEX search_number_doc ON search_number(doc);
CREATE TABLE search_doc (
  doc INTEGER PRIMARY KEY, kind TEXT NOT NULL, object_id TEXT NOT NULL, parent_id TEXT NOT NULL, seq INTEGER NOT NULL,
  is_live INTEGER NOT NULL, owner_id TEXT NOT NULL, viewer_level TEXT NOT NULL, created INTEGER NOT NULL,
  updated INTEGER NOT NULL, version_index INTEGER NOT NULL, is_latest INTEGER NOT NULL, is_latest_draft INTEGER NOT NULL,
  has_draft INTEGER NOT NULL, is_public INTEGER NOT NULL, has_public_files INTEGER NOT NULL, views INTEGER NOT NULL,
  downloads INTEGER NOT NULL, facets TEXT NOT NULL, text_hash TEXT NOT NULL, UNIQUE (kind, object_id)) STRICT;
CREATE INDEX search_doc_seq ON search_doc(seq);
CREATE INDEX search_doc_parent ON search_doc(parent_id);
`;
