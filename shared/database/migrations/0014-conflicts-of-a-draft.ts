/** Each body of a draft tells whether something in it is in dispute. */
export const conflictsOfADraft = `
CREATE INDEX conflict_draft ON conflict(draft_id, created);
`;
