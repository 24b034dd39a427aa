/** Replica: when an operation was known to be part of the server's state; kept for 30 days (hosts-and-sync 4). */
export const deliveredOperations = `
ALTER TABLE operation ADD COLUMN delivered INTEGER;
`;
