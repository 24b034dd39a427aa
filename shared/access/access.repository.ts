import type { Db } from "../database/open.ts";
import { prepared, preparedFirst } from "../database/prepared.ts";
import { reviewedBy } from "../database/reviewed-by.ts";
import type { AccessGrantRow, AccessLinkRow, ParentRow } from "../database/schema.ts";
import { sortedBy } from "../database/sorted.ts";

export const findParent = preparedFirst((db, id: string) => db.selectFrom("parent").selectAll().where("id", "=", id));

const readGrants = prepared((db, parentId: string) =>
  db.selectFrom("access_grant").selectAll().where("parent_id", "=", parentId),
);

export const listGrants = sortedBy(readGrants, "created", "id");

export const listParents = async (db: Db, ids: readonly string[]): Promise<ParentRow[]> =>
  ids.length === 0
    ? []
    : db
        .selectFrom("parent")
        .selectAll()
        .where("id", "in", [...ids])
        .execute();

/** Grants of several families, in the order of `listGrants`. */
export const listGrantsOf = async (db: Db, parentIds: readonly string[]): Promise<AccessGrantRow[]> =>
  parentIds.length === 0
    ? []
    : db
        .selectFrom("access_grant")
        .selectAll()
        .where("parent_id", "in", [...parentIds])
        .orderBy("created")
        .orderBy("id")
        .execute();

export const listLinksByToken = (db: Db, parentId: string, tokens: readonly string[]): Promise<AccessLinkRow[]> =>
  db
    .selectFrom("access_link")
    .selectAll()
    .where("parent_id", "=", parentId)
    .where("token", "in", [...tokens])
    .execute();

export const findLinkByToken = preparedFirst((db, token: string) =>
  db.selectFrom("access_link").selectAll().where("token", "=", token),
);

const findReview = preparedFirst((db, draftId: string, userId: string) =>
  db
    .selectFrom("draft")
    .innerJoin("request", "request.id", "draft.request_id")
    .select("request.id")
    .where("draft.id", "=", draftId)
    .where(reviewedBy(userId))
    .where("request.status", "=", "submitted"),
);

/** Whether the user is a reviewer of a submitted review of this draft. */
export const isReviewerOf = async (db: Db, draftId: string, userId: string): Promise<boolean> =>
  (await findReview(db, draftId, userId)) !== undefined;
