/** Replica: what a request of an InvenioRDM has besides ours, in a table of its own. On a server it stays empty. */
export const foreignRequests = `
CREATE TABLE foreign_request (
  request_id TEXT PRIMARY KEY, type TEXT NOT NULL, their_receiver TEXT NOT NULL, their_topic TEXT NOT NULL,
  offered TEXT NOT NULL
) STRICT;
`;
