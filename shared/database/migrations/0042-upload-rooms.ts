/** Server: what the uploads under way may still store of their owners' quotas, counted by all processes. */
export const uploadRooms = `
CREATE TABLE upload_room (
  id TEXT PRIMARY KEY, user_id TEXT NOT NULL, upload TEXT, start INTEGER NOT NULL, bytes INTEGER NOT NULL,
  held_until INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX upload_room_user ON upload_room(user_id);
`;
