/** Server: the files that everyone may download, beside each harvest item; the home page shows their sums. */
export const harvestFiles = `
ALTER TABLE harvest_item ADD COLUMN files INTEGER NOT NULL DEFAULT 0;
ALTER TABLE harvest_item ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
CREATE INDEX harvest_item_files ON harvest_item(record_id, files, bytes) WHERE files > 0;
`;
