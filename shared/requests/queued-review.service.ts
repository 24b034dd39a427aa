import type { Db } from "../database/open.ts";
import type { RequestRow } from "../database/schema.ts";
import type { Caller } from "../kernel/caller.ts";
import type { Host } from "../kernel/host.ts";
import type { SyncMark } from "../kernel/sync-mark.ts";
import { findHighestNumber, findRequest, findReviewedDraft, listReviewWishes } from "./request.repository.ts";
import { deleteReview, type PutReview, reviewBody } from "./request.schema.ts";
import { userIn } from "./review-input.service.ts";

/**
 * Reviews that a replica's person asked for out of reach of the server, as they will be: number, times and revision are
 * provisional (hosts-and-sync 3). Of each draft the last one, unless it is to be removed again.
 */
export async function listQueuedReviews(host: Pick<Host, "role">, db: Db, caller: Caller): Promise<RequestRow[]> {
  if (host.role !== "replica") return [];
  const last = new Map((await listReviewWishes(db)).map((wish) => [wish.draft_id, wish]));
  const wanted = [...last.values()].filter(({ kind }) => kind !== deleteReview.name);
  if (wanted.length === 0) return [];
  const highest = await findHighestNumber(db);
  return wanted.map(({ payload, created, draft_id, parent_id }, index): RequestRow => {
    const { id, body } = JSON.parse(payload) as PutReview;
    const { receiver, title = "", description = null, expires_at = null } = reviewBody.parse(body ?? {});
    return {
      ...{ id, number: String(highest + index + 1), status: "draft", title, description, expires_at },
      ...{ creator_id: caller.userId ?? "", receiver_id: userIn(receiver) ?? "" },
      ...{ topic_record_id: draft_id, topic_parent_id: parent_id, is_locked: 0, revision_id: 1 },
      ...{ created, updated: created, last_activity_at: created },
    };
  });
}

/** The mark of a request; a review that waits to be made or removed is told of by the work on its draft. */
export async function syncOf(host: Host, db: Db, request: RequestRow): Promise<SyncMark | undefined> {
  const own = await host.syncMark(db, { kind: "request", id: request.id });
  const mark = own ?? (await host.syncMark(db, { kind: "draft", id: request.topic_record_id }));
  if (own || !mark?.operations.some(({ kind }) => kind.startsWith("review."))) return own;
  const isLinked = (await findReviewedDraft(db, request.id)) !== undefined;
  return isLinked || !(await findRequest(db, request.id)) ? mark : undefined;
}
