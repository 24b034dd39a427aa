/**
 * All tokens that texts of the index have or had. SQLite's own `fts5vocab` lists only used tokens, but reads the whole
 * index for it. An unused token only finds nothing.
 */
export const searchTokens = `
DROP TABLE search_word;
CREATE TABLE search_token (id INTEGER PRIMARY KEY, token TEXT NOT NULL UNIQUE) STRICT;
`;
