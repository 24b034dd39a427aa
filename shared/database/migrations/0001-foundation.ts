const content = `
  id TEXT PRIMARY KEY, parent_id TEXT NOT NULL REFERENCES parent(id), version_index INTEGER NOT NULL,
  created INTEGER NOT NULL, updated INTEGER NOT NULL, revision_id INTEGER NOT NULL,
  metadata TEXT NOT NULL, expanded TEXT NOT NULL, custom_fields TEXT NOT NULL, access TEXT NOT NULL,
  pids TEXT NOT NULL, files_enabled INTEGER NOT NULL, default_preview TEXT, file_order TEXT NOT NULL`;

/** The tables of users, records, files, reviews and sync. */
export const foundation = `
CREATE TABLE user (
  id TEXT PRIMARY KEY, username TEXT NOT NULL, email TEXT NOT NULL, full_name TEXT NOT NULL, affiliations TEXT NOT NULL,
  active INTEGER NOT NULL, confirmed INTEGER NOT NULL, visibility TEXT NOT NULL, email_visibility TEXT NOT NULL,
  preferences TEXT NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL, revision_id INTEGER NOT NULL) STRICT;
CREATE INDEX user_username ON user(username COLLATE NOCASE);
CREATE INDEX user_email ON user(email COLLATE NOCASE);
CREATE TABLE credential (user_id TEXT PRIMARY KEY REFERENCES user(id), hash TEXT NOT NULL, updated INTEGER NOT NULL) STRICT;
CREATE TABLE session (
  digest TEXT PRIMARY KEY, user_id TEXT NOT NULL, csrf_token TEXT NOT NULL,
  created INTEGER NOT NULL, expires_at INTEGER NOT NULL) STRICT;
CREATE TABLE token (
  id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES user(id), name TEXT NOT NULL, digest TEXT NOT NULL UNIQUE,
  scopes TEXT NOT NULL, by_password INTEGER NOT NULL, created INTEGER NOT NULL, expires_at INTEGER,
  last_used_at INTEGER, revoked_at INTEGER) STRICT;
CREATE INDEX token_user ON token(user_id);
CREATE TABLE login_failure (subject TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
CREATE INDEX login_failure_subject ON login_failure(subject, at);
CREATE TABLE "group" (
  name TEXT PRIMARY KEY, description TEXT, is_managed INTEGER NOT NULL, created INTEGER NOT NULL,
  updated INTEGER NOT NULL, revision_id INTEGER NOT NULL) STRICT;
CREATE TABLE membership (user_id TEXT NOT NULL, group_name TEXT NOT NULL, PRIMARY KEY (user_id, group_name)) STRICT, WITHOUT ROWID;
CREATE INDEX membership_group ON membership(group_name);

CREATE TABLE parent (
  id TEXT PRIMARY KEY, owner_id TEXT NOT NULL, settings TEXT NOT NULL, created INTEGER NOT NULL, viewer_level TEXT) STRICT;
CREATE INDEX parent_owner ON parent(owner_id);
CREATE TABLE record (${content}, is_latest INTEGER NOT NULL, tombstone TEXT) STRICT;
CREATE INDEX record_parent ON record(parent_id, version_index);
CREATE TABLE draft (${content}, is_edit INTEGER NOT NULL, expires_at INTEGER NOT NULL, request_id TEXT) STRICT;
CREATE INDEX draft_parent ON draft(parent_id);
CREATE TABLE document (draft_id TEXT PRIMARY KEY, parent_id TEXT NOT NULL, epoch INTEGER NOT NULL, state BLOB NOT NULL) STRICT;
CREATE INDEX document_parent ON document(parent_id);
CREATE TABLE pid (
  scheme TEXT NOT NULL, identifier TEXT NOT NULL, parent_id TEXT NOT NULL, record_id TEXT NOT NULL, provider TEXT NOT NULL,
  state TEXT NOT NULL, PRIMARY KEY (scheme, identifier, record_id)) STRICT;
CREATE INDEX pid_record ON pid(record_id);
CREATE INDEX pid_parent ON pid(parent_id);
CREATE TABLE alias (old_id TEXT PRIMARY KEY, new_id TEXT NOT NULL, parent_id TEXT NOT NULL) STRICT;
CREATE INDEX alias_parent ON alias(parent_id);

CREATE TABLE file_entry (
  id TEXT PRIMARY KEY, owner_kind TEXT NOT NULL, owner_id TEXT NOT NULL, parent_id TEXT NOT NULL, key TEXT NOT NULL,
  status TEXT NOT NULL, sha256 TEXT, md5 TEXT, size INTEGER, mimetype TEXT, metadata TEXT, hidden INTEGER NOT NULL,
  announced TEXT, file_id TEXT, version_id TEXT, bucket_id TEXT NOT NULL, created INTEGER NOT NULL,
  updated INTEGER NOT NULL, position INTEGER NOT NULL, UNIQUE (owner_kind, owner_id, key)) STRICT;
CREATE INDEX file_entry_parent ON file_entry(parent_id);
CREATE INDEX file_entry_blob ON file_entry(sha256);
CREATE TABLE blob (
  sha256 TEXT PRIMARY KEY, md5 TEXT NOT NULL, size INTEGER NOT NULL, state TEXT NOT NULL,
  created INTEGER NOT NULL, used INTEGER NOT NULL) STRICT;
CREATE TABLE upload (
  key TEXT PRIMARY KEY, name TEXT NOT NULL, upload_offset INTEGER NOT NULL, length INTEGER, complete INTEGER NOT NULL,
  sha256 TEXT, md5 TEXT, created INTEGER NOT NULL, updated INTEGER NOT NULL) STRICT;

CREATE TABLE access_link (
  id TEXT PRIMARY KEY, parent_id TEXT NOT NULL, token TEXT NOT NULL UNIQUE, permission TEXT NOT NULL,
  description TEXT NOT NULL, created_at INTEGER NOT NULL, expires_at TEXT) STRICT;
CREATE INDEX access_link_parent ON access_link(parent_id);
CREATE TABLE access_grant (
  id TEXT PRIMARY KEY, parent_id TEXT NOT NULL, subject_type TEXT NOT NULL, subject_id TEXT NOT NULL,
  permission TEXT NOT NULL, origin TEXT, message TEXT, created INTEGER NOT NULL) STRICT;
CREATE INDEX access_grant_parent ON access_grant(parent_id);
CREATE INDEX access_grant_subject ON access_grant(subject_type, subject_id);

CREATE TABLE request (
  id TEXT PRIMARY KEY, number TEXT NOT NULL, title TEXT NOT NULL, description TEXT, status TEXT NOT NULL,
  creator_id TEXT NOT NULL, receiver_id TEXT NOT NULL, topic_record_id TEXT NOT NULL, topic_parent_id TEXT NOT NULL,
  expires_at INTEGER, is_locked INTEGER NOT NULL, last_activity_at INTEGER NOT NULL, created INTEGER NOT NULL,
  updated INTEGER NOT NULL, revision_id INTEGER NOT NULL) STRICT;
CREATE INDEX request_topic ON request(topic_parent_id);
CREATE INDEX request_creator ON request(creator_id);
CREATE INDEX request_receiver ON request(receiver_id);
CREATE TABLE event (
  id TEXT PRIMARY KEY, request_id TEXT NOT NULL, parent_id TEXT, type TEXT NOT NULL, event TEXT, content TEXT NOT NULL,
  format TEXT NOT NULL, creator_id TEXT NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL,
  revision_id INTEGER NOT NULL, position INTEGER NOT NULL) STRICT;
CREATE INDEX event_request ON event(request_id, parent_id, created, position);
CREATE TABLE event_file (
  id TEXT PRIMARY KEY, request_id TEXT NOT NULL, event_id TEXT, key TEXT NOT NULL, original_filename TEXT NOT NULL,
  sha256 TEXT NOT NULL, md5 TEXT NOT NULL, size INTEGER NOT NULL, mimetype TEXT NOT NULL, uploader_id TEXT NOT NULL,
  created INTEGER NOT NULL, UNIQUE (request_id, key)) STRICT;

CREATE TABLE feed (
  user_id TEXT NOT NULL, kind TEXT NOT NULL, object_id TEXT NOT NULL, seq INTEGER NOT NULL, state TEXT NOT NULL,
  PRIMARY KEY (user_id, kind, object_id)) STRICT, WITHOUT ROWID;
CREATE INDEX feed_seq ON feed(user_id, seq);
CREATE INDEX feed_object ON feed(kind, object_id);
CREATE TABLE subscription (
  user_id TEXT NOT NULL, kind TEXT NOT NULL, object_id TEXT NOT NULL, created INTEGER NOT NULL,
  PRIMARY KEY (kind, object_id, user_id)) STRICT, WITHOUT ROWID;
CREATE TABLE operation_result (
  id TEXT PRIMARY KEY, user_id TEXT NOT NULL, digest TEXT NOT NULL, outcome TEXT NOT NULL, result TEXT NOT NULL,
  seq INTEGER NOT NULL, created INTEGER NOT NULL) STRICT;
CREATE INDEX operation_result_seq ON operation_result(user_id, seq);
CREATE TABLE idempotency (
  user_id TEXT NOT NULL, key TEXT NOT NULL, digest TEXT NOT NULL, process TEXT NOT NULL, results TEXT NOT NULL,
  status INTEGER, headers TEXT, body TEXT, created INTEGER NOT NULL, PRIMARY KEY (user_id, key)) STRICT;
CREATE INDEX idempotency_created ON idempotency(created);
CREATE TABLE id_lease (id TEXT PRIMARY KEY, user_id TEXT NOT NULL, created INTEGER NOT NULL) STRICT;

CREATE TABLE operation (
  id TEXT NOT NULL UNIQUE, position INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, version INTEGER NOT NULL,
  payload TEXT NOT NULL, delivery TEXT NOT NULL, object_kind TEXT NOT NULL, object_id TEXT NOT NULL,
  aggregate_kind TEXT NOT NULL, aggregate_id TEXT NOT NULL, title TEXT NOT NULL, blobs TEXT NOT NULL,
  bytes INTEGER NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL, next_attempt INTEGER, created INTEGER NOT NULL,
  applied_seq INTEGER, reason TEXT, refused INTEGER, server TEXT, wire_id TEXT NOT NULL UNIQUE, snapshot TEXT) STRICT;
CREATE INDEX operation_object ON operation(object_kind, object_id);
CREATE INDEX operation_aggregate ON operation(aggregate_kind, aggregate_id);
CREATE INDEX operation_state ON operation(state);
CREATE TABLE base (
  kind TEXT NOT NULL, object_id TEXT NOT NULL, seq INTEGER NOT NULL, bundle TEXT NOT NULL,
  PRIMARY KEY (kind, object_id)) STRICT;
CREATE TABLE conflict (
  id TEXT PRIMARY KEY, user_id TEXT NOT NULL, parent_id TEXT NOT NULL, draft_id TEXT NOT NULL, path TEXT NOT NULL,
  mine TEXT NOT NULL, theirs TEXT NOT NULL, theirs_by TEXT, created INTEGER NOT NULL) STRICT;
CREATE INDEX conflict_parent ON conflict(parent_id);
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE job (
  id TEXT PRIMARY KEY, kind TEXT NOT NULL, payload TEXT NOT NULL, run_at INTEGER NOT NULL, attempts INTEGER NOT NULL,
  claimed_until INTEGER, last_error TEXT) STRICT;
CREATE INDEX job_due ON job(run_at);
`;
