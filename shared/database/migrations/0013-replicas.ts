/** Server: the data folders of replicas, to detect a copied folder (design, sync 1.7, C13). */
export const replicas = `
CREATE TABLE replica (
  id TEXT PRIMARY KEY, user_id TEXT NOT NULL, session INTEGER NOT NULL, nonce TEXT NOT NULL, seen INTEGER NOT NULL) STRICT;
CREATE INDEX replica_user ON replica(user_id, seen);
`;
