/** Server: one-time codes as a second factor, and the recovery codes for a lost device. */
export const secondFactors = `
CREATE TABLE second_factor (
  user_id TEXT PRIMARY KEY REFERENCES user(id), secret TEXT NOT NULL, created INTEGER NOT NULL, confirmed INTEGER,
  last_step INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE recovery_code (
  user_id TEXT NOT NULL REFERENCES user(id), digest TEXT NOT NULL, PRIMARY KEY (user_id, digest)
) STRICT, WITHOUT ROWID;
`;
