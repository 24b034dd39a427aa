import type { Tx } from "../database/open.ts";
import { prepared } from "../database/prepared.ts";
import type { RecordRow } from "../database/schema.ts";
import type { Pids } from "../identifiers/pids.schema.ts";
import { deletePids, insertPid } from "./draft.repository.ts";

export const insertRecord = prepared((db, row: RecordRow) => db.insertInto("record").values(row));

export const updateRecord = prepared((db, row: RecordRow) =>
  db.updateTable("record").set(row).where("id", "=", row.id),
);

/** Whatever was the latest version of the family is so no longer. */
export const retireOtherVersions = prepared((db, parentId: string) =>
  db.updateTable("record").set({ is_latest: 0 }).where("parent_id", "=", parentId),
);

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
