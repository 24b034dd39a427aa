/** Server: browsers in which a user signed in before. Each has its own limit of failed sign-ins. */
export const loginDevices = `
CREATE TABLE login_device (
  digest TEXT PRIMARY KEY, user_id TEXT NOT NULL, expires_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX login_device_user ON login_device(user_id);
`;
