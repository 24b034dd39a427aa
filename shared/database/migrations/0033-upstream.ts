/**
 * Replica: what was last heard from a server that has no feed, and the calls to it whose effect is not known yet
 * (`main/upstreams/invenio`). The tables of a server stay empty.
 */
export const upstream = `
CREATE TABLE upstream_object (
  kind TEXT NOT NULL, id TEXT NOT NULL, seq INTEGER NOT NULL UNIQUE, state TEXT NOT NULL, bundle TEXT,
  revisions TEXT NOT NULL, faults TEXT NOT NULL, checked INTEGER NOT NULL, PRIMARY KEY (kind, id)
) STRICT;
CREATE TABLE upstream_content (
  part TEXT NOT NULL, id TEXT NOT NULL, family_id TEXT NOT NULL, PRIMARY KEY (part, id)
) STRICT;
CREATE TABLE upstream_id (
  kind TEXT NOT NULL, local_id TEXT NOT NULL, remote_id TEXT NOT NULL, operation_id TEXT NOT NULL,
  PRIMARY KEY (kind, local_id), UNIQUE (kind, remote_id)
) STRICT;
CREATE TABLE upstream_attempt (
  operation_id TEXT PRIMARY KEY, step TEXT NOT NULL, state TEXT NOT NULL, sent INTEGER NOT NULL, known TEXT NOT NULL,
  seq INTEGER, looks INTEGER NOT NULL, next_look INTEGER NOT NULL
) STRICT;
CREATE TABLE upstream_witness (
  id INTEGER PRIMARY KEY, draft_id TEXT NOT NULL, path TEXT NOT NULL, before TEXT NOT NULL, after TEXT NOT NULL
) STRICT;
CREATE INDEX upstream_witness_draft ON upstream_witness(draft_id);
CREATE TABLE upstream_blob (
  sha256 TEXT PRIMARY KEY, md5 TEXT NOT NULL, size INTEGER NOT NULL, record_id TEXT NOT NULL, key TEXT NOT NULL,
  is_draft INTEGER NOT NULL
) STRICT;
`;
