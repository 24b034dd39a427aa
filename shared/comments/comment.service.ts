import type { Db, Tx } from "../database/open.ts";
import type { EventRow } from "../database/schema.ts";
import { type Call, isDelayed } from "../kernel/call.ts";
import type { Caller } from "../kernel/caller.ts";
import { Failure, forbidden, notFound } from "../kernel/failure.ts";
import { type CommandHandler, type Host, handles, type WriteResult } from "../kernel/host.ts";
import type { ObjectRef } from "../kernel/object-ref.ts";
import { isUuid } from "../kernel/uuid.ts";
import type { NotificationService } from "../notifications/notification.service.ts";
import { quotedTitle } from "../requests/request.lifecycle.ts";
import { isLockedFor, mayRead } from "../requests/request.policy.ts";
import type { Reached, RequestService } from "../requests/request.service.ts";
import { isDeleted, isRepliable, mayDeleteComment, mayEditComment } from "./comment.policy.ts";
import {
  type CreateComment,
  createComment,
  type DeleteComment,
  deleteComment,
  type UpdateComment,
  updateComment,
  withoutText,
} from "./comment.schema.ts";
import { deleteFilesExcept, findEvent, touchActivity, updateEvent } from "./event.repository.ts";
import { appendComment, attachFiles, readComment, readWithoutText } from "./event-writer.service.ts";
import { assertSeenText, withSeenText } from "./seen-comment.ts";

/** An event together with its request and the caller's roles in it. */
export interface ReachedEvent extends Reached {
  event: EventRow;
}

export interface CommentService {
  /** @throws Failure 404 also for an event of another request; 403. */
  requireReadable(db: Db, caller: Caller, requestId: string, id: string): Promise<ReachedEvent>;
  /** Creates a comment, or with `parentId` a reply. @throws Failure 404, 403, 400. */
  create(caller: Caller, input: CreateComment): Promise<string>;
  /** @throws Failure 404, 403, 412, 400. */
  update(caller: Caller, input: UpdateComment): Promise<string>;
  /** Turns the comment into a log event. @throws Failure 404, 403, 412. */
  remove(caller: Caller, input: DeleteComment): Promise<void>;
  commands: CommandHandler[];
}

/** @throws Failure 403 in a locked conversation. */
function assertUnlocked({ request, part }: Reached): void {
  if (isLockedFor(request, part)) throw new Failure("forbidden", "The conversation is locked.");
}

const isAuthor = (event: EventRow, caller: Caller): boolean => event.creator_id === caller.userId;

/** @throws Failure 403. */
function assertMayEdit(reached: ReachedEvent, caller: Caller): void {
  const { request, part, event } = reached;
  if (!mayRead(request, part)) throw forbidden();
  if (isDeleted(event)) throw new Failure("forbidden", "The comment was deleted.");
  if (!mayEditComment(event, part, isAuthor(event, caller))) throw forbidden();
  assertUnlocked(reached);
}

/** Checks that the caller may write into a conversation (requests 3.1, 10). @throws Failure 403. */
export function assertMayComment(reached: Reached): void {
  if (!mayRead(reached.request, reached.part)) throw forbidden();
  assertUnlocked(reached);
}

function writeResult<R>(
  result: R,
  { request }: Reached,
  commentId: string,
  title: string,
  notified: readonly ObjectRef[] = [],
): WriteResult<R> {
  const touched: ObjectRef[] = [{ kind: "request", id: request.id }, ...notified];
  return { result, object: { kind: "comment", id: commentId }, touched, title };
}

/** Turns a comment into a log event (requests 7, Deletion). */
async function turnIntoLogEvent(tx: Tx, event: EventRow, now: number): Promise<void> {
  const cleared = { type: "L", event: "comment_deleted", content: "" } as const;
  await updateEvent(tx, event.id, { ...cleared, updated: now, revision_id: event.revision_id + 1 });
  await deleteFilesExcept(tx, event.id, []);
  await touchActivity(tx, event.request_id);
}

/** What a deletion makes of a comment that was never sent. */
const unsentRewrite = {
  command: createComment.name,
  payload: (sent: unknown) => withoutText(sent as CreateComment),
};

export interface CommentParts {
  host: Host;
  requests: RequestService;
  notifications: NotificationService;
}

/** Comments of a conversation (requests 7). */
export function commentService({ host, requests, notifications }: CommentParts): CommentService {
  async function require(db: Db, caller: Caller, requestId: string, id: string): Promise<ReachedEvent> {
    const reached = await requests.require(db, caller, requestId);
    const event = isUuid(id) ? await findEvent(db, reached.request.id, id.toLowerCase()) : undefined;
    if (!event) throw notFound();
    return { ...reached, event };
  }

  async function assertRepliable(tx: Tx, caller: Caller, input: CreateComment): Promise<string | null> {
    if (input.parentId === null) return null;
    const { event } = await require(tx, caller, input.requestId, input.parentId);
    return event.id;
  }

  const create = (caller: Caller, input: CreateComment): Promise<string> =>
    host.write(caller, createComment, input, async (tx, { now }) => {
      const reached = await requests.require(tx, caller, input.requestId);
      const parentId = await assertRepliable(tx, caller, input);
      assertMayComment(reached);
      const { request } = reached;
      const parent = parentId === null ? undefined : await findEvent(tx, request.id, parentId);
      if (parent && !isRepliable(parent)) throw new Failure("invalid", "A reply to this event is not allowed.");
      const event = { id: input.id, requestId: request.id, parentId, creatorId: caller.userId ?? "", now };
      const payload = input.deleted ? readWithoutText(input.body) : readComment(input.body);
      // A reply is about what its comment is about.
      await appendComment(tx, event, parent ? { ...payload, about: undefined } : payload);
      const comment = await findEvent(tx, request.id, input.id);
      if (comment && input.deleted) await turnIntoLogEvent(tx, comment, now);
      const notified = comment && !input.deleted ? await notifications.ofComment(tx, request, comment) : [];
      const title = `${parent ? "Reply" : "Comment"} on ${quotedTitle(request.title)}`;
      return writeResult(input.id, reached, input.id, title, notified);
    });

  const update = async (caller: Caller, sent: UpdateComment): Promise<string> => {
    const input = await withSeenText(host, caller, sent);
    return host.write(caller, updateComment, input, async (tx, { now }) => {
      const reached = await require(tx, caller, input.requestId, input.id);
      const { request, event } = reached;
      assertMayEdit(reached, caller);
      assertSeenText(host, caller, { ...input, event, newText: () => readComment(input.body).content });
      const { content, fileIds } = readComment(input.body);
      await updateEvent(tx, event.id, { content, updated: now, revision_id: event.revision_id + 1 });
      await attachFiles(tx, request.id, event.id, fileIds);
      const notified = await notifications.ofEdit(tx, request, { ...event, content, updated: now }, event.content);
      const title = `Edit a comment on ${quotedTitle(request.title)}`;
      return writeResult(event.id, reached, event.id, title, notified);
    });
  };

  const remove = async (caller: Call, sent: DeleteComment): Promise<void> => {
    const input = await withSeenText(host, caller, sent);
    return host.write(caller, deleteComment, input, async (tx, { now }) => {
      const reached = await require(tx, caller, input.requestId, input.id);
      const { request, part, event } = reached;
      const outcome = writeResult(undefined, reached, event.id, `Delete a comment on ${quotedTitle(request.title)}`);
      // Somebody else deleted it before a deletion made offline arrived.
      if (mayRead(request, part) && isDeleted(event) && isDelayed(caller)) return outcome;
      if (!mayRead(request, part) || !mayDeleteComment(event, part, isAuthor(event, caller))) throw forbidden();
      assertSeenText(host, caller, { ...input, event });
      await turnIntoLogEvent(tx, event, now);
      return { ...outcome, unsentRewrite };
    });
  };

  return {
    async requireReadable(db, caller, requestId, id) {
      const reached = await require(db, caller, requestId, id);
      if (!mayRead(reached.request, reached.part)) throw forbidden();
      return reached;
    },
    create,
    update,
    remove,
    commands: [handles(createComment, create), handles(updateComment, update), handles(deleteComment, remove)],
  };
}
