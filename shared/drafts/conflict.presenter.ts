import type { ConflictRow } from "../database/schema.ts";
import { isoTime } from "../kernel/timestamps.ts";

/** A conflict entry (hosts-and-sync 8): `mine` is the value that lost, `theirs` the present one. */
export const presentConflict = (row: ConflictRow, theirs: unknown) => ({
  id: row.id,
  record: row.draft_id,
  path: row.path,
  mine: JSON.parse(row.mine),
  theirs,
  theirs_by: row.theirs_by,
  created: isoTime(row.created),
});
