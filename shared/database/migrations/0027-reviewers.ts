/** Reviews: what each reviewer decided (JSON); what an event is about: a field, a file or a user (JSON). */
export const reviewers = `
ALTER TABLE request ADD COLUMN reviewers TEXT NOT NULL DEFAULT '[]';
ALTER TABLE event ADD COLUMN about TEXT;
`;
