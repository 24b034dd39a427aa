import { authorsOf } from "../comments/event-reader.service.ts";
import type { Db, Tx } from "../database/open.ts";
import type { EventRow, NotificationRow, RequestRow } from "../database/schema.ts";
import { anonymous, type Caller } from "../kernel/caller.ts";
import { type CommandHandler, type Host, handles } from "../kernel/host.ts";
import type { ObjectRef } from "../kernel/object-ref.ts";
import type { RequestAction } from "../requests/request.lifecycle.ts";
import { mayRead } from "../requests/request.policy.ts";
import type { RequestService } from "../requests/request.service.ts";
import type { UserService } from "../users/user.service.ts";
import type { Trigger } from "./notification.presenter.ts";
import {
  countNotifications,
  insertJob,
  insertNotification,
  listNotifications,
  listUnreadAmong,
  listUnreadIds,
  markRead as markRowsRead,
} from "./notification.repository.ts";
import { markRead } from "./notification.schema.ts";

/** A mail that waits to be written, as the payload of a job. */
export interface MailOrder {
  userId: string;
  trigger: Trigger;
  requestId: string;
  commentId: string | null;
  /** Id of the comment that a reply answers. */
  threadId: string | null;
  actorId: string;
}

interface Told {
  trigger: Trigger;
  actorId: string;
  commentId: string | null;
  threadId: string | null;
  now: number;
}

export interface NotificationService {
  /** Whether a user may be notified about a request: they are active and may read it now. */
  concerns(db: Db, request: RequestRow, userId: string): Promise<boolean>;
  /** Tells whom an action concerns. @returns what travels to them. */
  ofAction(
    tx: Tx,
    request: RequestRow,
    what: { action: RequestAction; actorId: string; now: number },
  ): Promise<ObjectRef[]>;
  /** Tells whom a comment or reply concerns. @returns what travels to them. */
  ofComment(tx: Tx, request: RequestRow, comment: EventRow): Promise<ObjectRef[]>;
  /** Newest first. */
  list(db: Db, userId: string, page: { limit: number; offset: number }): Promise<NotificationRow[]>;
  count(db: Db, userId: string): Promise<{ total: number; unread: number }>;
  unreadIds(db: Db, userId: string): Promise<string[]>;
  /** Ids of others and unknown ones have no effect. */
  markRead(caller: Caller, input: { ids: string[] }): Promise<void>;
  commands: CommandHandler[];
}

/** Whom an action concerns, and as what (requests 13). */
const ofActions: Record<RequestAction, { trigger: Trigger; to: "creator_id" | "receiver_id" }> = {
  submit: { trigger: "submitted", to: "receiver_id" },
  accept: { trigger: "accepted", to: "creator_id" },
  decline: { trigger: "declined", to: "creator_id" },
  cancel: { trigger: "cancelled", to: "receiver_id" },
  expire: { trigger: "expired", to: "creator_id" },
};

export interface NotificationParts {
  host: Host;
  requests: RequestService;
  users: UserService;
}

/** Notifications about what others did: rows that reach all replicas of a user, and mail (requests 13). */
export function notificationService({ host, requests, users }: NotificationParts): NotificationService {
  async function concerns(db: Db, request: RequestRow, userId: string): Promise<boolean> {
    const user = await users.find(db, userId);
    if (!user?.active) return false;
    const roles = new Set(await users.groupsOf(db, userId));
    const caller: Caller = { ...anonymous, userId, roles, via: "system" };
    return mayRead(request, await requests.partOf(db, caller, request));
  }

  async function orderMail(tx: Tx, order: MailOrder, now: number): Promise<void> {
    if (!host.settings.smtp) return;
    const payload = JSON.stringify(order);
    const row = { id: host.newUuid(), kind: "mail", payload, run_at: now, attempts: 0 };
    await insertJob(tx, { ...row, claimed_until: null, last_error: null });
  }

  async function tell(tx: Tx, request: RequestRow, userIds: readonly string[], what: Told): Promise<ObjectRef[]> {
    // A replica is told by the server what happened; what its own person does concerns others.
    if (!host.abilities.notifies) return [];
    const touched: ObjectRef[] = [];
    for (const userId of new Set(userIds)) {
      if (userId === what.actorId || !(await concerns(tx, request, userId))) continue;
      const { trigger, actorId, commentId, threadId, now } = what;
      await orderMail(tx, { userId, trigger, requestId: request.id, commentId, threadId, actorId }, now);
      if (trigger === "expired") continue;
      const id = host.newUuid();
      const row = { id, user_id: userId, kind: trigger, request_id: request.id, comment_id: commentId };
      await insertNotification(tx, { ...row, actor_id: actorId, title: request.title, created: now, is_read: 0 });
      touched.push({ kind: "notification", id });
    }
    return touched;
  }

  const read = (caller: Caller, input: { ids: string[] }): Promise<void> =>
    host.write(caller, markRead, input, async (tx) => {
      const ids = await listUnreadAmong(tx, caller.userId ?? "", input.ids);
      await markRowsRead(tx, ids);
      const touched = ids.map((id): ObjectRef => ({ kind: "notification", id }));
      const object = { kind: "notification", id: ids[0] ?? "" };
      return { result: undefined, object, touched, title: "Mark notifications as read" };
    });

  return {
    concerns,
    async ofAction(tx, request, { action, actorId, now }) {
      const { trigger, to } = ofActions[action];
      return tell(tx, request, [request[to]], { trigger, actorId, commentId: null, threadId: null, now });
    },
    async ofComment(tx, request, comment) {
      const { id, creator_id, parent_id, created } = comment;
      const isReply = parent_id !== null;
      const authors = await authorsOf(tx, request.id, parent_id ?? undefined);
      const people = isReply ? authors : [request.creator_id, request.receiver_id, ...authors];
      const trigger = isReply ? "replied" : "commented";
      return tell(tx, request, people, {
        trigger,
        actorId: creator_id,
        commentId: id,
        threadId: parent_id,
        now: created,
      });
    },
    list: listNotifications,
    count: countNotifications,
    unreadIds: listUnreadIds,
    markRead: read,
    commands: [handles(markRead, read)],
  };
}
