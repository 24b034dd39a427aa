/**
 * Replica: a draft's review for readers of the draft who may not read the request itself (requests 4.1). Rows come with
 * the family; a server reads the request instead.
 */
export const draftReviews = `
CREATE TABLE draft_review (
  draft_id TEXT PRIMARY KEY, parent_id TEXT NOT NULL, request_id TEXT NOT NULL, receiver_id TEXT NOT NULL,
  status TEXT NOT NULL) STRICT;
CREATE INDEX draft_review_parent ON draft_review(parent_id);
`;
