/** Server: what several processes on one database share. */
export const severalProcesses = `
CREATE TABLE turn (
  name TEXT PRIMARY KEY, holder TEXT NOT NULL, wanted TEXT, held_until INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE ticket (
  digest TEXT PRIMARY KEY, caller TEXT NOT NULL, document TEXT, expires_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX ticket_expires ON ticket(expires_at);
CREATE TABLE draft_past (
  draft_id TEXT NOT NULL, place INTEGER NOT NULL, epoch INTEGER NOT NULL, state BLOB NOT NULL, kept INTEGER NOT NULL,
  PRIMARY KEY (draft_id, place)) STRICT;
CREATE INDEX draft_past_kept ON draft_past(kept);
`;
