import type { Db } from "../database/open.ts";
import type { RequestRow } from "../database/schema.ts";
import { findReviewedDraft } from "../drafts/draft.reader.ts";
import { anonymous, type Caller } from "../kernel/caller.ts";
import type { Host } from "../kernel/host.ts";
import type { SyncMark } from "../kernel/sync-mark.ts";
import { type RequestAction, transitionOf } from "./request.lifecycle.ts";
import { findRequest } from "./request.reader.ts";
import { findHighestNumber, listQueuedActions, listQueuedReviewOperations } from "./request.repository.ts";
import { deleteReview, type PutReview, reviewBody } from "./request.schema.ts";
import { namedIn, userIn } from "./review-input.service.ts";
import { firstReviewers, type Person, reviewersAfter } from "./reviewer.policy.ts";

/**
 * Reviews that a replica's user requested while offline. Number, times and revision are provisional (hosts-and-sync 3).
 * Returns the last review of each draft, unless its removal is queued too.
 */
export async function listQueuedReviews(host: Pick<Host, "abilities">, db: Db, caller: Caller): Promise<RequestRow[]> {
  if (host.abilities.decides) return [];
  const last = new Map((await listQueuedReviewOperations(db)).map((operation) => [operation.draft_id, operation]));
  const wanted = [...last.values()].filter(({ kind }) => kind !== deleteReview.name);
  if (wanted.length === 0) return [];
  const highest = await findHighestNumber(db);
  return wanted.map(({ payload, created, draft_id, parent_id }, index): RequestRow => {
    const { id, body } = JSON.parse(payload) as PutReview;
    const { receiver, reviewers, title = "", description = null, expires_at = null } = reviewBody.parse(body ?? {});
    const receiver_id = userIn(receiver) ?? "";
    return {
      ...{ id, number: String(highest + index + 1), status: "draft", title, description, expires_at },
      ...{
        creator_id: caller.userId ?? "",
        receiver_id,
        reviewers: firstReviewers(receiver_id, namedIn(reviewers) ?? []),
      },
      ...{ topic_record_id: draft_id, topic_parent_id: parent_id, is_locked: 0, revision_id: 1 },
      ...{ created, updated: created, last_activity_at: created },
    };
  });
}

/** The queued review of a draft, which the server does not know yet. */
export const findQueuedReview = async (
  host: Pick<Host, "abilities">,
  db: Db,
  caller: Caller,
  draftId: string,
): Promise<RequestRow | undefined> =>
  (await listQueuedReviews(host, db, caller)).find((review) => review.topic_record_id === draftId);

/** A request as the replica's user will have left it by a queued action. */
function afterAction(request: RequestRow, kind: string, person: Person, now: number): RequestRow {
  const action = kind.slice(kind.indexOf(".") + 1) as RequestAction;
  const transition = transitionOf(action, request.status);
  if (!transition) return request;
  return { ...request, status: transition.to, reviewers: reviewersAfter(request, action, person, now) };
}

/**
 * A request with the status and outcomes that it will have after all queued actions of the replica's user: the next action starts
 * from there (hosts-and-sync 3).
 * @param current the action now; the same action at the end of the queue does not count, since it is queued once.
 * `caller`, the replica's user, is needed for the outcomes alone.
 */
export async function afterQueuedActions(
  { abilities }: Pick<Host, "abilities">,
  db: Db,
  request: RequestRow,
  current: { kind: string; body: unknown; caller?: Caller },
): Promise<RequestRow> {
  if (abilities.decides) return request;
  const queued = await listQueuedActions(db, request);
  const last = queued.at(-1);
  const isSame = (payload: string) => JSON.stringify(JSON.parse(payload).body) === JSON.stringify(current.body);
  if (last?.state === "pending" && last.kind === current.kind && isSame(last.payload)) queued.pop();
  const person = current.caller ?? anonymous;
  return queued.reduce((after, { kind, created }) => afterAction(after, kind, person, created), request);
}

/** The `sync` mark of a request. A queued creation or removal of a review is part of the mark of its draft. */
export async function syncOf(host: Host, db: Db, request: RequestRow): Promise<SyncMark | undefined> {
  const own = await host.syncMark(db, { kind: "request", id: request.id });
  const mark = own ?? (await host.syncMark(db, { kind: "draft", id: request.topic_record_id }));
  if (own || !mark?.operations.some(({ kind }) => kind.startsWith("review."))) return own;
  const isLinked = (await findReviewedDraft(db, request.id)) !== undefined;
  return isLinked || !(await findRequest(db, request.id)) ? mark : undefined;
}
