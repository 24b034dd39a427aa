import type { AccessService } from "../access/access.service.ts";
import type { Db, Tx } from "../database/open.ts";
import type { DraftRow, RequestRow } from "../database/schema.ts";
import { findDraft } from "../drafts/draft.reader.ts";
import type { WithDraft } from "../drafts/draft-edit.service.ts";
import { isDelayed } from "../kernel/call.ts";
import type { Caller } from "../kernel/caller.ts";
import { thereAlready } from "../kernel/conditional-requests.ts";
import { Failure, invalidField, notFound } from "../kernel/failure.ts";
import { type CommandHandler, type Decision, type Host, handles, type Work, type WriteResult } from "../kernel/host.ts";
import type { ObjectRef } from "../kernel/object-ref.ts";
import { settled } from "../kernel/settled.ts";
import type { RecordService } from "../records/record.service.ts";
import { afterQueuedActions, findQueuedReview } from "./queued-review.service.ts";
import { findRequest } from "./request.reader.ts";
import { findQueuedReviewId, insertRequest, isToBePublished, linkReview } from "./request.repository.ts";
import { deleteReview, type PutReview, putReview, type SubmitReview, submitReview } from "./request.schema.ts";
import type { RequestService } from "./request.service.ts";
import { assertMaySay, inapplicable, type RequestActionService } from "./request-action.service.ts";
import { dropRequest } from "./request-change.service.ts";
import { newRequest, type ReceiverCheck, readReview } from "./review-input.service.ts";

/** A review as its draft knows it. */
type ReviewedDraft = Pick<DraftRow, "id" | "parent_id" | "is_edit" | "request_id">;

export interface ReviewService {
  /** The review of a draft, decided ones too. @throws Failure 404, 410 for a deleted record, 403 below preview. */
  get(db: Db, caller: Caller, draftId: string): Promise<RequestRow>;
  /** Gives a draft a review in `draft`, and replaces one in `draft`. @throws Failure 404, 403, 400; 412 if it may not replace. */
  put(caller: Caller, input: PutReview, mayReplace?: boolean): Promise<Decision<string>>;
  /** As `put`, in the transaction that creates the draft. */
  putWithDraft(caller: Caller, id: string, body: unknown): WithDraft;
  /** Checks that `put` would accept this body for a new draft. @throws Failure 400 by field. */
  assertBody(caller: Caller, body: unknown): Promise<void>;
  /** @throws Failure 404, 403; 400 when submitted. */
  remove(caller: Caller, input: { draftId: string }): Promise<Decision<void>>;
  /** @throws Failure 404, 403; 400 when not in `draft`, or when the draft could not be published. */
  submit(caller: Caller, input: SubmitReview): Promise<Decision<string>>;
  /** The status of a draft's review that the user saw when submitting; undefined while a new review is queued. */
  seenStatus(db: Db, draftId: string, body: unknown): Promise<string | undefined>;
  commands: CommandHandler[];
}

export interface ReviewParts {
  host: Host;
  access: AccessService;
  records: Pick<RecordService, "findDraft">;
  requests: RequestService;
  receivers: ReceiverCheck;
  actions: RequestActionService;
}

const noReview = (): Failure => notFound("Review for draft not found");
const refTo = (id: string): ObjectRef => ({ kind: "request", id });
const familyOf = (draft: ReviewedDraft): ObjectRef => ({ kind: "family", id: draft.parent_id });

const reviewOf = async (db: Db, draft: Pick<DraftRow, "request_id">): Promise<RequestRow | undefined> =>
  draft.request_id === null ? undefined : findRequest(db, draft.request_id);

/** Whether the review of a draft is queued and the server has not created it yet. */
const isQueued = async (host: Host, db: Db, draftId: string): Promise<boolean> =>
  !host.abilities.decides && (await findQueuedReviewId(db, draftId)) !== undefined;

/** Queues the removal of a queued review; the server decides whether it can be removed. */
const removeQueued = (draft: DraftRow): WriteResult<undefined> => ({
  result: undefined,
  object: { kind: "draft", id: draft.id },
  touched: [familyOf(draft)],
  title: "Remove the review",
});

/** Submits a queued review. Only the draft can be checked here. */
async function submitQueued(
  { host, actions }: ReviewParts,
  tx: Tx,
  draft: DraftRow,
  sent: { caller: Caller; body: unknown; now: number },
): Promise<WriteResult<string>> {
  const queued = await findQueuedReview(host, tx, sent.caller, draft.id);
  const request = queued && (await afterQueuedActions(host, tx, queued, { kind: submitReview.name, body: sent.body }));
  if (request && request.status !== "draft") throw inapplicable("submit", `the request is ${request.status}.`);
  await actions.assertSubmittable(tx, draft.id, sent);
  const object = { kind: "draft", id: draft.id };
  return { result: "", object, touched: [familyOf(draft)], title: "Submit for review" };
}

/** The transaction that submits a draft's review. */
const submitWork =
  (parts: ReviewParts, caller: Caller, input: SubmitReview): Work<string> =>
  async (tx, { now }) => {
    const { host, access, records, requests, actions } = parts;
    const draft = await records.findDraft(tx, input.draftId);
    await access.require(tx, caller, draft.parent_id, "manage");
    if (await isQueued(host, tx, draft.id)) return submitQueued(parts, tx, draft, { caller, body: input.body, now });
    const review = await reviewOf(tx, draft);
    if (!review) throw noReview();
    const request = await afterQueuedActions(host, tx, review, { kind: submitReview.name, body: input.body });
    const sent = (input.body ?? {}) as { require_review?: unknown };
    assertMaySay(request, await requests.partOf(tx, caller, request), input.body);
    if (sent.require_review !== undefined && typeof sent.require_review !== "boolean") {
      throw invalidField("require_review", "Not a valid boolean.");
    }
    const { commentId, body, seen } = input;
    return actions.carryOut(tx, request, { action: "submit", caller, now, logId: commentId, commentId, body, seen });
  };

const notToBeReplaced = (): Failure => new Failure("invalid", "The review is submitted and cannot be replaced.");

/**
 * Links a new review, in place of one that was not submitted. @returns its id and what this touches. @throws Failure
 * 400.
 */
async function putWithin(
  { host, receivers }: ReviewParts,
  tx: Tx,
  caller: Caller,
  draft: ReviewedDraft,
  input: { id: string; body: unknown; now: number },
): Promise<{ id: string; touched: ObjectRef[] }> {
  if (draft.is_edit === 1) {
    throw new Failure("invalid", "The record is published: ask for a review of the record instead.");
  }
  const there = await reviewOf(tx, draft);
  if (there?.status === "submitted") throw notToBeReplaced();
  const request = await newRequest(tx, receivers, caller, { recordId: draft.id, parentId: draft.parent_id }, input);
  if (await isToBePublished(tx, draft.id)) {
    throw new Failure("invalid", "The draft is to be published: ask for a review of the record then.");
  }
  const last = (await findQueuedReview(host, tx, caller, draft.id)) ?? there;
  const before = last && (await afterQueuedActions(host, tx, last, { kind: putReview.name, body: input.body }));
  if (before?.status === "submitted") throw notToBeReplaced();
  const dropped = before?.status === "draft" ? await dropRequest(host, tx, before) : [];
  await insertRequest(tx, request);
  await linkReview(tx, draft.id, request.id);
  return { id: request.id, touched: [refTo(request.id), familyOf(draft), ...dropped] };
}

/** Reviews of drafts (requests 4.1). */
export function reviewService(parts: ReviewParts): ReviewService {
  const { host, access, records, receivers } = parts;

  const put = (caller: Caller, input: PutReview, mayReplace = true): Promise<Decision<string>> =>
    host.decide(caller, putReview, input, async (tx, { now }) => {
      const draft = await records.findDraft(tx, input.draftId);
      await access.require(tx, caller, draft.parent_id, "manage");
      if (!mayReplace && (await reviewOf(tx, draft))) throw thereAlready();
      const { id, touched } = await putWithin(parts, tx, caller, draft, { id: input.id, body: input.body, now });
      return { result: id, object: { kind: "draft", id: draft.id }, touched, title: "Choose a reviewer" };
    });

  const deleteByServer = (caller: Caller, input: { draftId: string }): Promise<Decision<void>> =>
    host.decide(caller, deleteReview, input, async (tx) => {
      const draft = await records.findDraft(tx, input.draftId);
      await access.require(tx, caller, draft.parent_id, "manage");
      if (await isQueued(host, tx, draft.id)) return removeQueued(draft);
      const review = await reviewOf(tx, draft);
      if (!review) throw isDelayed(caller) ? settled(noReview()) : noReview();
      const request = await afterQueuedActions(host, tx, review, { kind: deleteReview.name, body: undefined });
      if (request.status === "submitted") {
        throw new Failure("invalid", "The review is submitted: cancel the request instead.");
      }
      const dropped = request.status === "draft" ? await dropRequest(host, tx, request) : [];
      await linkReview(tx, draft.id, null);
      const object = { kind: "draft", id: draft.id };
      const touched = [refTo(request.id), familyOf(draft), ...dropped];
      return { result: undefined, object, touched, title: "Remove the review" };
    });

  /** Withdraws a review that was never sent. The server decides about any other. */
  async function remove(caller: Caller, input: { draftId: string }): Promise<Decision<void>> {
    const draft = await records.findDraft(host.db, input.draftId);
    await access.require(host.db, caller, draft.parent_id, "manage");
    const isWithdrawn = await host.withdrawUnsent({ kind: "draft", id: draft.id }, putReview.name, [familyOf(draft)]);
    const isLeft = draft.request_id !== null || (await isQueued(host, host.db, draft.id));
    return isWithdrawn && !isLeft ? { state: "done", result: undefined } : deleteByServer(caller, input);
  }

  const submit = (caller: Caller, input: SubmitReview): Promise<Decision<string>> =>
    host.decide(caller, submitReview, input, submitWork(parts, caller, input));

  return {
    async get(db, caller, draftId) {
      const draft = await records.findDraft(db, draftId);
      await access.requireDraft(db, caller, draft, "preview");
      const queued = await findQueuedReview(host, db, caller, draft.id);
      const request = queued ? ((await findRequest(db, queued.id)) ?? queued) : await reviewOf(db, draft);
      if (!request) throw noReview();
      return request;
    },
    put,
    putWithDraft: (caller, id, body) => async (tx, draftId, now) => {
      await putWithin(parts, tx, caller, await records.findDraft(tx, draftId), { id, body, now });
      return [refTo(id)];
    },
    async assertBody(caller, body) {
      await readReview(host.db, receivers, caller, body, host.now());
    },
    remove,
    submit,
    async seenStatus(db, draftId, body) {
      if (await isQueued(host, db, draftId)) return undefined;
      const draft = await findDraft(db, draftId);
      const request = draft && (await reviewOf(db, draft));
      return request && (await afterQueuedActions(host, db, request, { kind: submitReview.name, body })).status;
    },
    commands: [handles(putReview, put), handles(deleteReview, remove), handles(submitReview, submit)],
  };
}
