/** Server: whose drafts the stored earlier states belong to, so that one user's are bounded. They last a day only. */
export const pastOfOwners = `
DROP TABLE draft_past;
CREATE TABLE draft_past (
  draft_id TEXT NOT NULL, place INTEGER NOT NULL, epoch INTEGER NOT NULL, owner_id TEXT NOT NULL, bytes INTEGER NOT NULL,
  kept INTEGER NOT NULL, state BLOB NOT NULL, PRIMARY KEY (draft_id, place)) STRICT;
CREATE INDEX draft_past_kept ON draft_past(kept);
CREATE INDEX draft_past_owner ON draft_past(owner_id, kept, bytes);
`;
