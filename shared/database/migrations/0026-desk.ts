/** Where earlier versions of a replica kept notes and unsent comments. `local` is the one owner on a replica. */
export const moveDesk = `
INSERT OR IGNORE INTO desk_note (user_id, shelf, key, value)
  SELECT 'local', substr(name, 6, instr(substr(name, 6), '.') - 1), substr(name, 6 + instr(substr(name, 6), '.')), value
  FROM setting WHERE name GLOB 'desk.*';
INSERT OR IGNORE INTO comment_draft (user_id, request_id, place, draft)
  SELECT 'local', substr(name, 16, instr(substr(name, 16), '.') - 1),
    substr(name, 16 + instr(substr(name, 16), '.')), value
  FROM setting WHERE name GLOB 'unsent-comment.*';
DELETE FROM setting WHERE name GLOB 'desk.*' OR name GLOB 'unsent-comment.*';
`;

/** Notes of the app and unsent comments, of each user. */
export const desk = `
CREATE TABLE desk_note (
  user_id TEXT NOT NULL, shelf TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY (user_id, shelf, key)
) STRICT;
CREATE TABLE comment_draft (
  user_id TEXT NOT NULL, request_id TEXT NOT NULL, place TEXT NOT NULL, draft TEXT NOT NULL,
  PRIMARY KEY (user_id, request_id, place)
) STRICT;
${moveDesk}`;
