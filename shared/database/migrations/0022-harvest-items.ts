/** Records that were public at some time, for harvesters: when each one changed last, and its sets. */
export const harvestItems = `
CREATE TABLE harvest_item (
  record_id TEXT PRIMARY KEY, changed INTEGER NOT NULL, state TEXT NOT NULL, sets TEXT NOT NULL,
  revision INTEGER NOT NULL, is_latest INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX harvest_item_changed ON harvest_item(changed, record_id);
CREATE INDEX harvest_item_listed ON harvest_item(record_id, changed) WHERE state = 'live' AND is_latest = 1;
CREATE TABLE harvest_set (
  spec TEXT NOT NULL, changed INTEGER NOT NULL, record_id TEXT NOT NULL,
  PRIMARY KEY (spec, changed, record_id)) STRICT, WITHOUT ROWID;
`;
