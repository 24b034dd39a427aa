import { findAccessRequest } from "../access-requests/access-request.reader.ts";
import type { GuestOrder } from "../access-requests/guest-order.ts";
import { authorsOf } from "../comments/event-reader.service.ts";
import { mentionsIn } from "../comments/mention.policy.ts";
import type { Db, Tx } from "../database/open.ts";
import type { EventRow, NotificationRow, RequestRow } from "../database/schema.ts";
import { anonymous, type Caller } from "../kernel/caller.ts";
import { type CommandHandler, type Host, handles } from "../kernel/host.ts";
import type { ObjectRef } from "../kernel/object-ref.ts";
import type { RequestAction } from "../requests/request.lifecycle.ts";
import { mayRead } from "../requests/request.policy.ts";
import type { RequestService } from "../requests/request.service.ts";
import { reviewingGroups, reviewingUsers } from "../requests/reviewer.policy.ts";
import type { Named } from "../requests/reviewer.schema.ts";
import { rolesWithFactor } from "../second-factor/second-factor.service.ts";
import type { UserService } from "../users/user.service.ts";
import { orderMail } from "./mail-order.service.ts";
import type { Trigger } from "./notification.presenter.ts";
import {
  countNotifications,
  insertNotification,
  listLike,
  listNotifications,
  listUnreadAmong,
  listUnreadIds,
  markRead as markRowsRead,
} from "./notification.repository.ts";
import { markRead } from "./notification.schema.ts";

/** The payload of a mail job. */
export interface MailOrder {
  userId: string;
  trigger: Trigger;
  requestId: string;
  commentId: string | null;
  /** Id of the comment that a reply answers. */
  threadId: string | null;
  actorId: string;
}

interface NotificationFacts {
  trigger: Trigger;
  actorId: string;
  commentId: string | null;
  threadId: string | null;
  now: number;
}

export interface NotificationService {
  /** Whether a user may be notified about a request: they are active and may read it now. */
  concerns(db: Db, request: RequestRow, userId: string): Promise<boolean>;
  /** Notifies the user whom an action concerns, and whom its comment mentions. @returns the new rows, for the feed. */
  ofAction(
    tx: Tx,
    request: RequestRow,
    what: { action: RequestAction; actorId: string; now: number; comment?: Pick<EventRow, "id" | "content"> },
  ): Promise<ObjectRef[]>;
  /**
   * Notifies a reviewer who was added to an open request, unless they have an unread notification of it. Otherwise somebody
   * could flood them by adding and removing them. @returns the new rows, for the feed.
   */
  ofReviewer(tx: Tx, request: RequestRow, what: { added: Named; actorId: string; now: number }): Promise<ObjectRef[]>;
  /** Notifies the users whom a comment or reply concerns. @returns the new rows, for the feed. */
  ofComment(tx: Tx, request: RequestRow, comment: EventRow): Promise<ObjectRef[]>;
  /** Notifies the users whom an edited comment mentions and never mentioned before. @returns the new rows. */
  ofEdit(tx: Tx, request: RequestRow, comment: EventRow, before: string): Promise<ObjectRef[]>;
  /** Newest first. */
  list(db: Db, userId: string, page: { limit: number; offset: number }): Promise<NotificationRow[]>;
  count(db: Db, userId: string): Promise<{ total: number; unread: number }>;
  unreadIds(db: Db, userId: string): Promise<string[]>;
  /** Marks the user's own notifications. Other and unknown ids have no effect. */
  markRead(caller: Caller, input: { ids: string[] }): Promise<void>;
  commands: CommandHandler[];
}

/** Which side of a request is notified of an action, with which trigger (requests 13). */
const ofActions: Record<RequestAction, { trigger: Trigger; to: "creator" | "reviewers" }> = {
  submit: { trigger: "submitted", to: "reviewers" },
  accept: { trigger: "accepted", to: "creator" },
  decline: { trigger: "declined", to: "creator" },
  cancel: { trigger: "cancelled", to: "reviewers" },
  expire: { trigger: "expired", to: "creator" },
  "request-changes": { trigger: "changes_requested", to: "creator" },
  "request-review": { trigger: "review_requested", to: "reviewers" },
};

export interface NotificationParts {
  host: Host;
  requests: RequestService;
  users: UserService;
}

/** Orders a mail to the guest who asked for access, if this is such a request. */
async function notifyGuest(host: Host, tx: Tx, request: RequestRow, trigger: Trigger, commentId: string | null) {
  if (!host.abilities.notifies || !host.settings.smtp) return;
  const accessRequest = await findAccessRequest(tx, request.id);
  if (accessRequest?.type !== "guest-access-request") return;
  const order: GuestOrder = { guest: trigger, requestId: request.id, commentId };
  await orderMail(tx, host, order, `guest:${request.id}`);
}

const without = (ids: readonly string[], others: readonly string[]): string[] =>
  ids.filter((id) => !others.includes(id));

type CommentFacts = Pick<EventRow, "id" | "creator_id" | "parent_id">;
const factsOf = ({ id, creator_id, parent_id }: CommentFacts, trigger: Trigger, now: number): NotificationFacts => ({
  ...{ trigger, actorId: creator_id, commentId: id, threadId: parent_id, now },
});

const newMentions = ({ content }: EventRow, before: string) => without(mentionsIn(content), mentionsIn(before));

/** The users who have no such notification yet. @param counts whether a notification that a user has counts. */
async function withoutNotified(
  tx: Tx,
  userIds: readonly string[],
  like: Pick<NotificationRow, "kind" | "request_id" | "comment_id">,
  counts: (row: NotificationRow) => boolean = () => true,
): Promise<string[]> {
  const others: string[] = [];
  for (const user_id of userIds) {
    if (!(await listLike(tx, { ...like, user_id })).some(counts)) others.push(user_id);
  }
  return others;
}

/** Ids of the reviewers, and of the members of reviewing groups. */
async function reviewerIds(users: UserService, db: Db, request: RequestRow): Promise<string[]> {
  const ids = reviewingUsers(request);
  for (const group of reviewingGroups(request)) ids.push(...(await users.membersOf(db, group)));
  return ids;
}

/** The trigger of an action. A request for access has its own, because its notification reads differently. */
async function triggerOf(tx: Tx, request: RequestRow, trigger: Trigger): Promise<Trigger> {
  const isAsking = trigger === "submitted" && (await findAccessRequest(tx, request.id)) !== undefined;
  return isAsking ? "access_asked" : trigger;
}

/** Whether a user is active and may read the request now. */
async function concernsUser(
  { host, requests, users }: Pick<NotificationParts, "host" | "requests" | "users">,
  db: Db,
  request: RequestRow,
  userId: string,
): Promise<boolean> {
  const user = await users.find(db, userId);
  if (!user?.active) return false;
  const roles = new Set(await rolesWithFactor(db, host.settings, userId, await users.groupsOf(db, userId)));
  const caller: Caller = { ...anonymous, userId, roles, via: "system" };
  return mayRead(request, await requests.partOf(db, caller, request));
}

/** Marks a user's own notifications as read. */
const reading =
  (host: Host): NotificationService["markRead"] =>
  (caller, input) =>
    host.write(caller, markRead, input, async (tx) => {
      const ids = await listUnreadAmong(tx, caller.userId ?? "", input.ids);
      await markRowsRead(tx, ids);
      const touched = ids.map((id): ObjectRef => ({ kind: "notification", id }));
      const object = { kind: "notification", id: ids[0] ?? "" };
      return { result: undefined, object, touched, title: "Mark notifications as read" };
    });

/** Notifications about what others did: rows that reach all replicas of a user, and mail (requests 13). */
export function notificationService({ host, requests, users }: NotificationParts): NotificationService {
  const concerns = (db: Db, request: RequestRow, userId: string) =>
    concernsUser({ host, requests, users }, db, request, userId);

  async function notify(
    tx: Tx,
    request: RequestRow,
    userIds: readonly string[],
    facts: NotificationFacts,
  ): Promise<ObjectRef[]> {
    // On a replica, the server notifies its user; its own user's actions notify only others.
    if (!host.abilities.notifies) return [];
    const touched: ObjectRef[] = [];
    for (const userId of new Set(userIds)) {
      if (userId === facts.actorId || !(await concerns(tx, request, userId))) continue;
      const { trigger, actorId, commentId, threadId, now } = facts;
      const mail: MailOrder = { userId, trigger, requestId: request.id, commentId, threadId, actorId };
      if (host.settings.smtp) await orderMail(tx, host, mail, userId);
      if (trigger === "expired") continue;
      const id = host.newUuid();
      const row = { id, user_id: userId, kind: trigger, request_id: request.id, comment_id: commentId };
      await insertNotification(tx, { ...row, actor_id: actorId, title: request.title, created: now, is_read: 0 });
      touched.push({ kind: "notification", id });
    }
    return touched;
  }

  const read = reading(host);

  return {
    concerns,
    async ofAction(tx, request, { action, actorId, now, comment }) {
      const { to, ...of } = ofActions[action];
      const trigger = await triggerOf(tx, request, of.trigger);
      if (to === "creator") await notifyGuest(host, tx, request, trigger, null);
      const people = to === "creator" ? [request.creator_id] : await reviewerIds(users, tx, request);
      const refs = await notify(tx, request, people, { trigger, actorId, commentId: null, threadId: null, now });
      if (!comment) return refs;
      const mentioned = without(mentionsIn(comment.content), people);
      const commentFacts = { id: comment.id, creator_id: actorId, parent_id: null };
      return [...refs, ...(await notify(tx, request, mentioned, factsOf(commentFacts, "mentioned", now)))];
    },
    async ofReviewer(tx, request, { added, actorId, now }) {
      const people = added.user === undefined ? await users.membersOf(tx, added.group ?? "") : [added.user];
      const facts = { trigger: "submitted", actorId, commentId: null, threadId: null, now } as const;
      const like = { kind: "submitted", request_id: request.id, comment_id: null } as const;
      const others = await withoutNotified(tx, people, like, ({ is_read }) => is_read === 0);
      return notify(tx, request, others, facts);
    },
    async ofComment(tx, request, comment) {
      const { id, parent_id, created } = comment;
      const authors = await authorsOf(tx, request.id, parent_id ?? undefined);
      const others = parent_id === null ? [request.creator_id, ...(await reviewerIds(users, tx, request))] : [];
      const people = [...others, ...authors];
      const trigger = parent_id === null ? "commented" : "replied";
      await notifyGuest(host, tx, request, trigger, id);
      // A mention says more than "commented", and replaces it.
      const mentioned = mentionsIn(comment.content);
      const refs = await notify(tx, request, mentioned, factsOf(comment, "mentioned", created));
      return [...refs, ...(await notify(tx, request, without(people, mentioned), factsOf(comment, trigger, created)))];
    },
    async ofEdit(tx, request, comment, before) {
      const like = { kind: "mentioned", request_id: request.id, comment_id: comment.id } as const;
      const others = await withoutNotified(tx, newMentions(comment, before), like);
      return notify(tx, request, others, factsOf(comment, "mentioned", comment.updated));
    },
    list: listNotifications,
    count: countNotifications,
    unreadIds: listUnreadIds,
    markRead: read,
    commands: [handles(markRead, read)],
  };
}
