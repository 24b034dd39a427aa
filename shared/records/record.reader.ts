import { familyColumns, splitFamily } from "../access/family.reader.ts";
import type { Db } from "../database/open.ts";
import { preparedFirst } from "../database/prepared.ts";
import type { ParentRow, RecordRow } from "../database/schema.ts";

/** A published record, deleted ones included. */
export const findRecord = preparedFirst((db, id: string) => db.selectFrom("record").selectAll().where("id", "=", id));

const findJoined = preparedFirst((db, id: string) =>
  db
    .selectFrom("record")
    .leftJoin("parent", "parent.id", "record.parent_id")
    .selectAll("record")
    .select(familyColumns)
    .where("record.id", "=", id),
);

/** As `findRecord`, with the family. */
export async function findRecordInFamily(
  db: Db,
  id: string,
): Promise<{ record: RecordRow; parent: ParentRow | undefined } | undefined> {
  const found = await findJoined(db, id);
  if (!found) return undefined;
  const { row: record, parent } = splitFamily(found);
  return { record, parent };
}

/** The latest version of a family whose versions are all deleted. */
export const findLatestDeleted = preparedFirst((db, parentId: string) =>
  db.selectFrom("record").selectAll().where("parent_id", "=", parentId).orderBy("version_index", "desc"),
);

/** The newest published version that is not deleted. */
export const findLatestRecord = preparedFirst((db, parentId: string) =>
  db
    .selectFrom("record")
    .selectAll()
    .where("parent_id", "=", parentId)
    .where("tombstone", "is", null)
    .orderBy("version_index", "desc"),
);
