/** Replica: when an operation was delivered, by this computer's clock. */
export const deliveredHere = `
ALTER TABLE operation ADD COLUMN delivered_here INTEGER;
UPDATE operation SET delivered_here = delivered;
`;
