/** Attachments count against the storage quota of who uploaded them. */
export const attachmentsByUploader = `
CREATE INDEX event_file_uploader ON event_file(uploader_id);
`;
