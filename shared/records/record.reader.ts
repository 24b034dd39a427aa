import { preparedFirst } from "../database/prepared.ts";

/** A published record, deleted ones included. */
export const findRecord = preparedFirst((db, id: string) => db.selectFrom("record").selectAll().where("id", "=", id));

/** The newest published version that is not deleted. */
/** The latest version of a family whose versions are all deleted. */
export const findLatestDeleted = preparedFirst((db, parentId: string) =>
  db.selectFrom("record").selectAll().where("parent_id", "=", parentId).orderBy("version_index", "desc"),
);

export const findLatestRecord = preparedFirst((db, parentId: string) =>
  db
    .selectFrom("record")
    .selectAll()
    .where("parent_id", "=", parentId)
    .where("tombstone", "is", null)
    .orderBy("version_index", "desc"),
);
