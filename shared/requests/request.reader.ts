import type { Db } from "../database/open.ts";
import { preparedFirst } from "../database/prepared.ts";
import type { DraftReviewRow, DraftRow } from "../database/schema.ts";

export const findRequest = preparedFirst((db, id: string) => db.selectFrom("request").selectAll().where("id", "=", id));

/** The review of a draft; its title only where the request is held. */
export type DraftReview = Omit<DraftReviewRow, "draft_id" | "parent_id"> & { title?: string };

/** The review of a draft. A replica that does not hold the request has the review from the draft's bundle. */
export async function findReview(db: Db, draft: Pick<DraftRow, "id" | "request_id">): Promise<DraftReview | undefined> {
  if (draft.request_id === null) return undefined;
  const request = await findRequest(db, draft.request_id);
  if (request) {
    const { id, receiver_id, status, title } = request;
    return { request_id: id, receiver_id, status, title };
  }
  return db
    .selectFrom("draft_review")
    .select(["request_id", "receiver_id", "status"])
    .where("draft_id", "=", draft.id)
    .where("request_id", "=", draft.request_id)
    .executeTakeFirst();
}
