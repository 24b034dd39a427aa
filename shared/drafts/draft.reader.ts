import { preparedFirst } from "../database/prepared.ts";

export const findDraft = preparedFirst((db, id: string) => db.selectFrom("draft").selectAll().where("id", "=", id));

/** The draft of the next or first version. A family has at most one (records 4.2). */
export const findNextDraft = preparedFirst((db, parentId: string) =>
  db.selectFrom("draft").selectAll().where("parent_id", "=", parentId).where("is_edit", "=", 0),
);

/** The draft whose review the request is, as long as it is linked. */
export const findReviewedDraft = preparedFirst((db, requestId: string) =>
  db.selectFrom("draft").selectAll().where("request_id", "=", requestId),
);
