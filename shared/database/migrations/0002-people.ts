/** Groups with rights in the service exist from the start, so that users can be added to them. */
const protectedGroups = ["admin", "superuser-access", "administration", "administration-moderation"]
  .map((name) => `('${name}', NULL, 1, unixepoch() * 1000000, unixepoch() * 1000000, 1)`)
  .join(", ");

/** Further tables and columns for users, reviews and notifications. */
export const people = `
INSERT INTO "group" (name, description, is_managed, created, updated, revision_id) VALUES ${protectedGroups};
CREATE INDEX request_due ON request(status, expires_at);
CREATE INDEX event_file_event ON event_file(event_id);
CREATE INDEX event_file_blob ON event_file(sha256);
CREATE TABLE notification (
  id TEXT PRIMARY KEY, user_id TEXT NOT NULL, kind TEXT NOT NULL, request_id TEXT NOT NULL, comment_id TEXT,
  actor_id TEXT NOT NULL, title TEXT NOT NULL, created INTEGER NOT NULL, is_read INTEGER NOT NULL) STRICT;
CREATE INDEX notification_user ON notification(user_id, created);
`;
