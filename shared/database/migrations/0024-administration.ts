/** Server: quotas of single users, and the backups that were attempted. */
export const administration = `
CREATE TABLE storage_quota (user_id TEXT PRIMARY KEY, quota_bytes INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE backup_run (
  id TEXT PRIMARY KEY, started INTEGER NOT NULL, ended INTEGER, user_id TEXT, file TEXT NOT NULL, bytes INTEGER,
  blobs INTEGER, missing INTEGER, error TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX backup_run_started ON backup_run(started);
`;
