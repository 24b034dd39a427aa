/** Server: accounts at identity providers with which users sign in. */
export const identities = `
CREATE TABLE identity (
  issuer TEXT NOT NULL, subject TEXT NOT NULL, user_id TEXT NOT NULL REFERENCES user(id), label TEXT NOT NULL,
  groups TEXT NOT NULL DEFAULT '[]', created INTEGER NOT NULL, used INTEGER NOT NULL,
  PRIMARY KEY (issuer, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX identity_user ON identity(user_id, created);
`;
