/** Files removed from drafts, kept for a day so that the removal can be undone. */
export const removedFiles = `
CREATE TABLE removed_file (
  entry_id TEXT PRIMARY KEY, draft_id TEXT NOT NULL, version_id TEXT NOT NULL, sha256 TEXT NOT NULL,
  entry TEXT NOT NULL, was_preview INTEGER NOT NULL, order_index INTEGER, removed INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX removed_file_draft ON removed_file(draft_id);
CREATE INDEX removed_file_blob ON removed_file(sha256);
`;
