/**
 * How often records were viewed and downloaded; `id` is a record's, or the parent's for all versions together. `seq`
 * grows with every change, so that replicas can ask for what is new. Who came is not in the database at all.
 */
export const usage = `
CREATE TABLE usage (
  id TEXT PRIMARY KEY, parent_id TEXT NOT NULL, seq INTEGER NOT NULL, views INTEGER NOT NULL,
  unique_views INTEGER NOT NULL, downloads INTEGER NOT NULL, unique_downloads INTEGER NOT NULL,
  data_volume INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX usage_parent ON usage(parent_id);
CREATE INDEX usage_seq ON usage(seq);
`;
