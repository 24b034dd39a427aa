/** Server: who last wrote at a path of a draft's document, to name the authors of a conflict's two values. */
export const documentWriters = `
CREATE TABLE document_writer (
  draft_id TEXT NOT NULL, path TEXT NOT NULL, user_id TEXT NOT NULL, written INTEGER NOT NULL,
  PRIMARY KEY (draft_id, path)) STRICT, WITHOUT ROWID;
`;
