/** The state of a record's DOI at the registration agency, and of failed attempts. */
export const doiRegistration = `
CREATE TABLE doi_registration (
  record_id TEXT PRIMARY KEY, sent_revision INTEGER, is_public INTEGER NOT NULL, refused_revision INTEGER,
  attempts INTEGER NOT NULL, run_at INTEGER NOT NULL, last_error TEXT, updated INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;
