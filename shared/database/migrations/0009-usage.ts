/**
 * Counts of views and downloads. `id` is a record's, or the parent's for all versions together. `seq` grows with every
 * change, so that replicas can request what is new. The database never stores who viewed something.
 */
export const usage = `
CREATE TABLE usage (
  id TEXT PRIMARY KEY, parent_id TEXT NOT NULL, seq INTEGER NOT NULL, views INTEGER NOT NULL,
  unique_views INTEGER NOT NULL, downloads INTEGER NOT NULL, unique_downloads INTEGER NOT NULL,
  data_volume INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX usage_parent ON usage(parent_id);
CREATE INDEX usage_seq ON usage(seq);
`;
