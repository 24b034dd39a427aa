import type { Db, Tx } from "../database/open.ts";
import type { RecordRow } from "../database/schema.ts";
import type { Pids } from "../identifiers/pids.schema.ts";
import { deletePids, insertPid } from "./draft.repository.ts";

export const insertRecord = (db: Db, row: RecordRow) => db.insertInto("record").values(row).execute();

export const updateRecord = (db: Db, row: RecordRow) =>
  db.updateTable("record").set(row).where("id", "=", row.id).execute();

/** Whatever was the latest version of the family is so no longer. */
export const retireOtherVersions = (db: Db, parentId: string) =>
  db.updateTable("record").set({ is_latest: 0 }).where("parent_id", "=", parentId).execute();

/** The identifiers that a record has from now on are taken; those that it had before are free. */
export async function registerPids(tx: Tx, record: RecordRow): Promise<void> {
  await deletePids(tx, record.id);
  const { doi }: Pids = JSON.parse(record.pids);
  if (!doi) return;
  await insertPid(tx, {
    scheme: "doi",
    identifier: doi.identifier.toLowerCase(),
    parent_id: record.parent_id,
    record_id: record.id,
    provider: doi.provider,
    state: "registered",
  });
}
