/**
 * All tokens that texts of the index have or had. SQLite's own `fts5vocab` lists used tokens only, but it reads the whole
 * index. An unused token is harmless: it finds nothing.
 */
export const searchTokens = `
DROP TABLE search_word;
CREATE TABLE search_token (id INTEGER PRIMARY KEY, token TEXT NOT NULL UNIQUE) STRICT;
`;
