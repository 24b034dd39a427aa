/**
 * Every token that the texts of the index have had. The vocabulary of the full-text engine would say which are in use,
 * but reads all of its lists to do so; a token too many only finds nothing.
 */
export const searchTokens = `
DROP TABLE search_word;
CREATE TABLE search_token (id INTEGER PRIMARY KEY, token TEXT NOT NULL UNIQUE) STRICT;
`;
