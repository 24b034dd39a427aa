/**
 * What requests for access have besides other requests, in a table of its own: a replica of an older version ignores it.
 * Server: guests who still have to confirm their address.
 */
export const accessRequests = `
CREATE TABLE access_request (
  request_id TEXT PRIMARY KEY, type TEXT NOT NULL, email TEXT, full_name TEXT, message TEXT NOT NULL,
  link_days INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE access_confirmation (
  id TEXT PRIMARY KEY, record_id TEXT NOT NULL, email TEXT NOT NULL, full_name TEXT NOT NULL, message TEXT NOT NULL,
  network TEXT NOT NULL, created INTEGER NOT NULL, expires_at INTEGER NOT NULL, request_id TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX access_confirmation_email ON access_confirmation(email, created);
CREATE INDEX access_confirmation_network ON access_confirmation(network, created);
CREATE INDEX access_confirmation_request ON access_confirmation(request_id);
`;
