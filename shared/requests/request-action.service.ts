import type { AccessDecisions } from "../access-requests/access-decision.service.ts";
import {
  appendComment,
  appendLog,
  hasPayload,
  readActionComment,
  refreshActivity,
} from "../comments/event-writer.service.ts";
import type { Db, Tx } from "../database/open.ts";
import type { DraftRow, RequestRow } from "../database/schema.ts";
import { findDraft, findReviewedDraft } from "../drafts/draft.reader.ts";
import { type Caller, system } from "../kernel/caller.ts";
import { assertRevision } from "../kernel/conditional-requests.ts";
import { Failure, forbidden, invalidField } from "../kernel/failure.ts";
import { type CommandHandler, type Decision, type Host, handles, type WriteResult } from "../kernel/host.ts";
import type { ObjectRef } from "../kernel/object-ref.ts";
import type { NotificationService } from "../notifications/notification.service.ts";
import type { UserService } from "../users/user.service.ts";
import { afterQueuedActions } from "./queued-review.service.ts";
import { lifecycle, quotedTitle, type RequestAction, transitionOf } from "./request.lifecycle.ts";
import { isLockedFor, mayAct, type Part } from "./request.policy.ts";
import { findNextExpiry, findRecord, linkReview, listDue, updateRequestRow } from "./request.repository.ts";
import { type ActOnRequest, actionCommands, expireRequest } from "./request.schema.ts";
import type { RequestService } from "./request.service.ts";
import { nextRevision } from "./request-change.service.ts";
import { obstacleTo, reviewersAfter, reviewingGroups, reviewingUsers } from "./reviewer.policy.ts";

/** How an accepted review publishes its draft. The review itself does not block publishing then. */
export interface DraftPublishing {
  /** @throws Failure 400 with the problems for which publishing would be refused now. */
  assertPublishable(tx: Tx, draftId: string, now: number): Promise<void>;
  /** Publishes without checking the caller's rights. @throws Failure as above. */
  publishWithin(tx: Tx, caller: Caller, draftId: string, now: number): Promise<unknown>;
  /** The hash of the content that the user sees now. */
  hashOf(db: Db, draft: DraftRow): Promise<string>;
}

/** An action to execute, after the permission check. */
export interface Execution {
  action: RequestAction;
  caller: Caller;
  now: number;
  logId: string;
  commentId: string;
  body: unknown;
  /** The status that the user saw; undefined: any. */
  seen?: string | undefined;
  /** The hash of the draft that the user saw; undefined: any. */
  expected?: string | undefined;
}

/** The actions that users can take. */
export type NamedAction = keyof typeof actionCommands;

const namedActions = Object.keys(actionCommands) as NamedAction[];

export interface RequestActionService {
  /**
   * Executes an action in one transaction: status, log event, comment, publishing (requests 5).
   * @throws Failure 404, 403, 412, 400.
   */
  act(caller: Caller, action: NamedAction, input: ActOnRequest): Promise<Decision<string>>;
  /** The status from which a user starts an action: earlier queued actions will have been executed by then. */
  seenStatus(db: Db, request: RequestRow, action: NamedAction, body: unknown): Promise<string>;
  /** On a replica, the hash of the draft that accepting the request publishes: the server publishes only this content. */
  seenContent(db: Db, request: RequestRow, action: NamedAction): Promise<string | undefined>;
  /** As `act` without its permission check, within a transaction. @throws Failure 400. */
  carryOut(tx: Tx, request: RequestRow, execution: Execution): Promise<WriteResult<string>>;
  /** Checks that a draft and its comment could be submitted now. @throws Failure 400. */
  assertSubmittable(tx: Tx, draftId: string, sent: { body?: unknown; now: number }): Promise<void>;
  /** Expires all submitted requests whose time has passed. Runs before requests are read. Server only. */
  expireDue(): Promise<void>;
  /** When the next request expires, in microseconds UTC; undefined when none will. */
  nextExpiry(): Promise<number | undefined>;
  commands: CommandHandler[];
}

const titles: Record<RequestAction, string> = {
  submit: "Submit",
  accept: "Accept",
  decline: "Decline",
  cancel: "Cancel",
  expire: "Expire",
  "request-changes": "Request changes to",
  "request-review": "Ask again for a review of",
};

/** 400 for an action that the status does not permit (requests 5). */
export const inapplicable = (action: string, reason: string): Failure =>
  new Failure("invalid", `Error for action '${action}': ${reason}`);

/** @throws Failure 403 when the action has a comment and the conversation is locked. */
export function assertMaySay(request: RequestRow, part: Part, body: unknown): void {
  if (hasPayload(body) && isLockedFor(request, part)) throw new Failure("forbidden", "The conversation is locked.");
}

export interface RequestActionParts {
  host: Host;
  requests: RequestService;
  users: Pick<UserService, "find">;
  publishing: DraftPublishing;
  notifications: NotificationService;
  accessDecisions: AccessDecisions;
}

/** @throws Failure 400 when the status does not permit the action, or differs from what the user saw. */
function transitionFor(request: RequestRow, { action, seen, caller }: Execution) {
  const transition = transitionOf(action, request.status);
  if (!transition) throw inapplicable(action, `the request is ${request.status}.`);
  if (seen !== undefined && seen !== request.status) {
    throw inapplicable(action, `the request was ${seen} when this was asked, and is ${request.status} now.`);
  }
  const obstacle = obstacleTo(action, request, caller);
  if (obstacle) throw inapplicable(action, obstacle);
  return transition;
}

async function topicTitle(tx: Tx, request: RequestRow): Promise<string> {
  const topic = (await findDraft(tx, request.topic_record_id)) ?? (await findRecord(tx, request.topic_record_id));
  return topic ? String(JSON.parse(topic.metadata).title ?? "") : "";
}

/** @throws Failure 400 with `receiver` when all named reviewers were deactivated: nobody could decide. */
async function assertSomebodyReviews(users: RequestActionParts["users"], tx: Tx, request: RequestRow): Promise<void> {
  if (reviewingGroups(request).length > 0) return;
  for (const id of reviewingUsers(request)) if ((await users.find(tx, id))?.active !== 0) return;
  throw invalidField("receiver", "There is no such user.");
}

/** Applies the action to the draft under review, if there is one. */
async function applyToDraft(
  publishing: DraftPublishing,
  tx: Tx,
  request: RequestRow,
  { action, caller, now, expected }: Execution,
): Promise<void> {
  const draft = await findReviewedDraft(tx, request.id);
  if (!draft) return;
  if (action === "submit") await publishing.assertPublishable(tx, draft.id, now);
  if (!lifecycle[action].keepsReview) await linkReview(tx, draft.id, null);
  if (action === "accept" && request.status === "submitted") {
    if (expected !== undefined && expected !== (await publishing.hashOf(tx, draft))) {
      throw new Failure("conflict", "The draft was changed meanwhile: look at it again before accepting it.");
    }
    await publishing.publishWithin(tx, caller, draft.id, now);
  }
}

/** The actions of the lifecycle (requests 5). */
export function requestActionService(parts: RequestActionParts): RequestActionService {
  const { host, requests, publishing, notifications } = parts;

  async function carryOut(tx: Tx, request: RequestRow, execution: Execution): Promise<WriteResult<string>> {
    const { action, caller, now, logId, commentId } = execution;
    const transition = transitionFor(request, execution);
    if (action === "submit") await assertSomebodyReviews(parts.users, tx, request);
    const comment = readActionComment(execution.body);
    await applyToDraft(publishing, tx, request, execution);
    if (action === "accept" && request.status === "submitted") await parts.accessDecisions.accept(tx, request, now);
    const title = request.title === "" && action === "submit" ? await topicTitle(tx, request) : request.title;
    const reviewers = reviewersAfter(request, action, caller, now);
    const change = { ...nextRevision(request, now), status: transition.to, reviewers, title };
    await updateRequestRow(tx, request.id, change);
    const event = { requestId: request.id, parentId: null, creatorId: caller.userId ?? "", now };
    if (transition.log) await appendLog(tx, { ...event, id: logId }, transition.log);
    if (comment) await appendComment(tx, { ...event, id: commentId }, comment);
    await refreshActivity(tx, request.id);
    const withComment = comment ? { comment: { id: commentId, content: comment.content } } : {};
    const what = { action, actorId: event.creatorId, now, ...withComment };
    const sent = await notifications.ofAction(tx, { ...request, ...change }, what);
    const touched: ObjectRef[] = [
      { kind: "request", id: request.id },
      { kind: "family", id: request.topic_parent_id },
      ...sent,
    ];
    const object = { kind: "request", id: request.id };
    return { result: request.id, object, touched, title: `${titles[action]} ${quotedTitle(title)}` };
  }

  const afterQueued = (db: Db, request: RequestRow, action: NamedAction, sent: { body: unknown; caller?: Caller }) =>
    afterQueuedActions(host, db, request, { kind: actionCommands[action].name, ...sent });

  const act = (caller: Caller, action: NamedAction, input: ActOnRequest): Promise<Decision<string>> =>
    host.decide(caller, actionCommands[action], input, async (tx, { now }) => {
      const { request, part } = await requests.require(tx, caller, input.id);
      if (!mayAct(action, part)) throw forbidden();
      assertMaySay(request, part, input.body);
      assertRevision(input.revision, request.revision_id);
      const { logId, commentId, body, seen, expected } = input;
      const current = await afterQueued(tx, request, action, { body, caller });
      return carryOut(tx, current, { action, caller, now, logId, commentId, body, seen, expected });
    });

  async function expire(input: { id: string; logId: string }): Promise<void> {
    await host.write(system, expireRequest, input, async (tx, { now }) => {
      const object: ObjectRef = { kind: "request", id: input.id };
      if (!(await listDue(tx, now)).some(({ id }) => id === input.id))
        return { result: "", object, touched: [], title: "Expire" };
      const { request } = await requests.require(tx, system, input.id);
      const { logId } = input;
      return carryOut(tx, request, { action: "expire", caller: system, now, logId, commentId: logId, body: undefined });
    });
  }

  return {
    act,
    seenStatus: async (db, request, action, body) => (await afterQueued(db, request, action, { body })).status,
    async seenContent(db, request, action) {
      if (host.abilities.decides || action !== "accept") return undefined;
      const draft = await findReviewedDraft(db, request.id);
      return draft && publishing.hashOf(db, draft);
    },
    carryOut,
    async assertSubmittable(tx, draftId, { body, now }) {
      readActionComment(body);
      await publishing.assertPublishable(tx, draftId, now);
    },
    async expireDue() {
      for (const { id } of await listDue(host.db, host.now())) await expire({ id, logId: host.newUuid() });
    },
    nextExpiry: () => findNextExpiry(host.db),
    commands: namedActions.map((name) => handles(actionCommands[name], (caller, input) => act(caller, name, input))),
  };
}
