/** Server: what a user sees of their sessions; links by mail that invite people or reset passwords. */
export const accounts = `
ALTER TABLE session ADD COLUMN user_agent TEXT NOT NULL DEFAULT '';
ALTER TABLE session ADD COLUMN address TEXT NOT NULL DEFAULT '';
ALTER TABLE session ADD COLUMN last_used INTEGER NOT NULL DEFAULT 0;
UPDATE session SET last_used = created;
CREATE TABLE account_link (
  id TEXT PRIMARY KEY, kind TEXT NOT NULL, user_id TEXT, email TEXT NOT NULL, roles TEXT NOT NULL, invited_by TEXT,
  network TEXT NOT NULL, created INTEGER NOT NULL, expires_at INTEGER NOT NULL, ended_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX account_link_email ON account_link(kind, email, created);
CREATE INDEX account_link_network ON account_link(kind, network, created);
`;
