/** For bodies of drafts, which tell whether the draft has conflicts. */
export const conflictsOfADraft = `
CREATE INDEX conflict_draft ON conflict(draft_id, created);
`;
