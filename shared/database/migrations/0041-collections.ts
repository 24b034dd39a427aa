/** Server: collections kept by a group. Those of the operator are in the settings. */
export const collections = `
CREATE TABLE collection (
  slug TEXT PRIMARY KEY, group_name TEXT, title TEXT NOT NULL, query TEXT NOT NULL, text TEXT NOT NULL,
  created INTEGER NOT NULL, updated INTEGER NOT NULL, revision_id INTEGER NOT NULL
) STRICT;
`;
