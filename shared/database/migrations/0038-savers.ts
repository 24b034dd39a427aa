/** Server: who made the next revision of a draft, so that a late save of the same open editor is known by every process. */
export const savers = `
ALTER TABLE draft_past ADD COLUMN saver TEXT;
`;
