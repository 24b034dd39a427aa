/** Server: where a bucket has the bytes of each blob, and what it has of unfinished uploads. */
export const bucket = `
CREATE TABLE bucket_object (
  sha256 TEXT PRIMARY KEY, object TEXT NOT NULL, size INTEGER NOT NULL, used INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX bucket_object_object ON bucket_object(object);
CREATE TABLE bucket_upload (
  name TEXT PRIMARY KEY, object TEXT NOT NULL, part_bytes INTEGER NOT NULL, multipart TEXT, next_part INTEGER NOT NULL,
  parts_size INTEGER NOT NULL, tail TEXT, tail_size INTEGER NOT NULL, digests BLOB NOT NULL, updated INTEGER NOT NULL
) STRICT;
CREATE INDEX bucket_upload_object ON bucket_upload(object);
CREATE TABLE bucket_part (
  object TEXT NOT NULL, number INTEGER NOT NULL, etag TEXT NOT NULL, PRIMARY KEY (object, number)) STRICT, WITHOUT ROWID;
`;
