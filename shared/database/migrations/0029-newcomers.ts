/** Server: links that confirm the address of a newcomer, who signs in with a provider. */
export const newcomers = `
ALTER TABLE account_link ADD COLUMN newcomer TEXT;
`;
