import { appendLog, refreshActivity } from "../comments/event-writer.service.ts";
import type { Tx } from "../database/open.ts";
import type { RequestRow } from "../database/schema.ts";
import { findReviewedDraft } from "../drafts/draft.reader.ts";
import type { Caller } from "../kernel/caller.ts";
import { assertRevision } from "../kernel/conditional-requests.ts";
import { Failure, forbidden } from "../kernel/failure.ts";
import type { Host, WriteResult } from "../kernel/host.ts";
import type { ObjectRef } from "../kernel/object-ref.ts";
import { parse } from "../kernel/parse.ts";
import { forgetRequest } from "../notifications/forget-request.service.ts";
import { quotedTitle } from "./request.lifecycle.ts";
import { mayDelete, mayLock, mayUpdate } from "./request.policy.ts";
import { deleteRequestRows, linkReview, updateRequestRow } from "./request.repository.ts";
import {
  type DeleteRequest,
  deleteRequest,
  expiryBody,
  type LockRequest,
  lockRequest,
  requestBody,
  type UpdateRequest,
  unlockRequest,
  updateRequest,
} from "./request.schema.ts";
import type { RequestService } from "./request.service.ts";
import { type ReceiverCheck, userIn } from "./review-input.service.ts";

export interface RequestChangeService {
  /** @throws Failure 404, 403, 412, 400. */
  update(caller: Caller, input: UpdateRequest): Promise<string>;
  /**
   * Deletes a request; its draft then has no review. @throws Failure 404, 403, 412; 400 for a superuser if submitted.
   */
  remove(caller: Caller, input: DeleteRequest): Promise<void>;
  /** @throws Failure 404, 403. */
  lock(caller: Caller, input: LockRequest): Promise<void>;
  unlock(caller: Caller, input: LockRequest): Promise<void>;
}

const writeResult = <R>(result: R, request: RequestRow, title: string): WriteResult<R> => {
  const object: ObjectRef = { kind: "request", id: request.id };
  return { result, object, touched: [object], title };
};

/** The columns that change with every revision. */
export const nextRevision = (request: RequestRow, now: number) => ({
  updated: now,
  revision_id: request.revision_id + 1,
});

/** Deletes a request with its conversation and unlinks it from its draft. @returns the objects that this touches. */
export async function dropRequest(host: Host, tx: Tx, request: RequestRow): Promise<ObjectRef[]> {
  const draft = await findReviewedDraft(tx, request.id);
  if (draft) await linkReview(tx, draft.id, null);
  await deleteRequestRows(tx, request.id);
  return [
    { kind: "request", id: request.id },
    { kind: "family", id: request.topic_parent_id },
    ...(await forgetRequest(host, tx, request.id)),
  ];
}

export interface RequestChangeParts {
  host: Host;
  requests: RequestService;
  receivers: ReceiverCheck;
}

/** Editing, deleting and locking requests (requests 3.2, 10). */
export function requestChangeService({ host, requests, receivers }: RequestChangeParts): RequestChangeService {
  const update = (caller: Caller, input: UpdateRequest): Promise<string> =>
    host.write(caller, updateRequest, input, async (tx, { now }) => {
      const { request, part } = await requests.require(tx, caller, input.id);
      if (!mayUpdate(request, part)) throw forbidden();
      assertRevision(input.revision, request.revision_id);
      const body = parse(requestBody, input.body ?? {});
      const change: Partial<RequestRow> = nextRevision(request, now);
      if (body.title !== undefined) change.title = body.title;
      if (body.description !== undefined) change.description = body.description;
      if (request.status === "draft") {
        const isNew = body.receiver !== undefined && userIn(body.receiver) !== request.receiver_id;
        if (isNew) change.receiver_id = await receivers.check(tx, caller, body.receiver);
        const { expires_at } = parse(expiryBody, { expires_at: body.expires_at });
        if (expires_at !== undefined) change.expires_at = receivers.checkExpiry(expires_at, now);
      }
      await updateRequestRow(tx, request.id, change);
      await refreshActivity(tx, request.id);
      return writeResult(request.id, request, `Edit ${quotedTitle(request.title)}`);
    });

  const remove = (caller: Caller, input: DeleteRequest): Promise<void> =>
    host.write(caller, deleteRequest, input, async (tx) => {
      const { request, part } = await requests.require(tx, caller, input.id);
      if (!mayDelete(request, part)) throw forbidden();
      assertRevision(input.revision, request.revision_id);
      if (request.status !== "draft") throw new Failure("invalid", "Only a request in draft can be deleted.");
      const touched = await dropRequest(host, tx, request);
      return { ...writeResult(undefined, request, `Delete ${quotedTitle(request.title)}`), touched };
    });

  const setLock = (caller: Caller, input: LockRequest, isLocking: boolean): Promise<void> =>
    host.write(caller, isLocking ? lockRequest : unlockRequest, input, async (tx, { now }) => {
      const { request, part } = await requests.require(tx, caller, input.id);
      if (!mayLock(request, part)) throw forbidden();
      if (request.status === "draft") throw new Failure("invalid", "A request in draft cannot be locked.");
      const word = isLocking ? "locked" : "unlocked";
      if ((request.is_locked === 1) === isLocking) throw new Failure("forbidden", `The request is already ${word}.`);
      await updateRequestRow(tx, request.id, { ...nextRevision(request, now), is_locked: isLocking ? 1 : 0 });
      const event = { id: input.eventId, requestId: request.id, parentId: null, creatorId: caller.userId ?? "", now };
      await appendLog(tx, event, word);
      return writeResult(undefined, request, `${isLocking ? "Lock" : "Unlock"} ${quotedTitle(request.title)}`);
    });

  const lock = (caller: Caller, input: LockRequest): Promise<void> => setLock(caller, input, true);
  const unlock = (caller: Caller, input: LockRequest): Promise<void> => setLock(caller, input, false);

  return {
    update,
    remove,
    lock,
    unlock,
  };
}
