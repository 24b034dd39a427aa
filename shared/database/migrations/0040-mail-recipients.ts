/** Server: whom a mail about a request goes to, so that many of them can be gathered in one. */
export const mailRecipients = `
ALTER TABLE job ADD COLUMN recipient TEXT;
CREATE INDEX job_recipient ON job(recipient, kind, run_at);
`;
