/** Server: what the processes on one folder tell each other. */
export const processMessages = `
CREATE TABLE process_message (seq INTEGER PRIMARY KEY AUTOINCREMENT, sender TEXT NOT NULL, body TEXT NOT NULL) STRICT;
`;
