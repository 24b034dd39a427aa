/**
 * Items of a draft's lists that a publication gave another key, since they had been renamed: edits made before it still name
 * them by the old one. Server only.
 */
export const formerKeys = `
CREATE TABLE former_key (
  record_id TEXT NOT NULL, revision INTEGER NOT NULL, path TEXT NOT NULL, key TEXT NOT NULL,
  PRIMARY KEY (record_id, revision, path)) STRICT, WITHOUT ROWID;
`;
