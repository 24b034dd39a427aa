/** The picture of a user: a small JPEG. A replica has those that it showed. */
export const userPictures = `
CREATE TABLE user_picture (
  user_id TEXT PRIMARY KEY, sha256 TEXT NOT NULL, bytes BLOB NOT NULL
) STRICT;
`;
