/** Attachments count against the storage quota of the user who uploaded them. */
export const attachmentsByUploader = `
CREATE INDEX event_file_uploader ON event_file(uploader_id);
`;
