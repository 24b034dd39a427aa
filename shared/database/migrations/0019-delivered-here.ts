/** Replica: when an operation was delivered by this computer's own clock, beside the server's. */
export const deliveredHere = `
ALTER TABLE operation ADD COLUMN delivered_here INTEGER;
UPDATE operation SET delivered_here = delivered;
`;
