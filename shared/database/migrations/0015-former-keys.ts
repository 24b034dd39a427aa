/**
 * Server: former keys of list items. A publication gives renamed items a new key; edits made before it still use the old
 * one.
 */
export const formerKeys = `
CREATE TABLE former_key (
  record_id TEXT NOT NULL, revision INTEGER NOT NULL, path TEXT NOT NULL, key TEXT NOT NULL,
  PRIMARY KEY (record_id, revision, path)) STRICT, WITHOUT ROWID;
`;
