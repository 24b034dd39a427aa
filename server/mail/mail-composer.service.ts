import { findAccessRequest } from "../../shared/access-requests/access-request.reader.ts";
import { guestId } from "../../shared/access-requests/access-request.schema.ts";
import { type GuestOrder, isGuestOrder } from "../../shared/access-requests/guest-order.ts";
import { type AccountOrder, isAccountOrder } from "../../shared/accounts/account-order.ts";
import type { CommentReader } from "../../shared/comments/event-reader.service.ts";
import type { JobRow, UserRow } from "../../shared/database/schema.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { inLanguage } from "../../shared/kernel/spoken-language.ts";
import type { MailOrder, NotificationService } from "../../shared/notifications/notification.service.ts";
import { isRemovalOrder, type RemovalOrder } from "../../shared/notifications/removal-notice.service.ts";
import { findRecord } from "../../shared/records/record.reader.ts";
import type { RequestService } from "../../shared/requests/request.service.ts";
import { plainTextOf } from "../../shared/search/language/analysis.ts";
import type { UserService } from "../../shared/users/user.service.ts";
import { mailContent } from "./mail-content.ts";
import { gatheredMail, maxInMail } from "./mail-gathered.ts";
import { mailLanguage } from "./mail-language.ts";
import { mailWords } from "./mail-words.ts";
import type { Mail } from "./mailer.ts";

export interface MailComposerParts {
  host: Host;
  users: UserService;
  requests: RequestService;
  notifications: Pick<NotificationService, "concerns">;
  comments: CommentReader;
  /** Writes mail about accounts. */
  accountMail(id: string, order: AccountOrder): Promise<Mail | undefined>;
  /** Writes mail to guests who ask for access. */
  guestMail(id: string, order: GuestOrder): Promise<Mail | undefined>;
}

type Order = MailOrder | AccountOrder | GuestOrder | RemovalOrder;

/**
 * Writes the mail of a job, or of several jobs for one recipient, the latest first; undefined if there is nothing to say
 * any more.
 */
export function mailComposer(parts: MailComposerParts) {
  const { host, users, requests, notifications, comments, accountMail, guestMail } = parts;
  const { db } = host;

  /** The name of the guest who acted, if it was a guest. */
  const guestOf = async (requestId: string, actorId: string): Promise<string | null | undefined> =>
    actorId === guestId ? (await findAccessRequest(db, requestId))?.full_name : undefined;

  const wantsMail = ({ preferences }: UserRow): boolean => JSON.parse(preferences).notifications?.enabled !== false;
  const nameOf = async (userId: string): Promise<string | undefined> => {
    const user = await users.find(db, userId);
    return user?.full_name || user?.username;
  };

  /** To the owner of a deleted record. */
  async function removalMail(id: string, { trigger, recordId, userId, actorId }: RemovalOrder) {
    const recipient = await users.find(db, userId);
    const record = await findRecord(db, recordId);
    // The record may be restored by now.
    if (!recipient?.active || !wantsMail(recipient) || !record?.tombstone) return undefined;
    const { title = "" } = JSON.parse(record.expanded);
    const isVisible = JSON.parse(record.tombstone).is_visible !== false;
    const link = isVisible ? `${host.baseUrl}/records/${recordId}` : undefined;
    const actor = await nameOf(actorId);
    const write = () => mailContent({ trigger, actor: actor ?? mailWords.somebody, title, link });
    const language = mailLanguage(host.settings, recipient);
    return { id, to: recipient.email, language, ...inLanguage(language, write) };
  }

  /** Composes the mail from the current state; undefined if there is nothing to say any more. */
  async function compose(id: string, order: Order): Promise<Mail | undefined> {
    if (isAccountOrder(order)) return accountMail(id, order);
    if (isGuestOrder(order)) return guestMail(id, order);
    if (isRemovalOrder(order)) return removalMail(id, order);
    const recipient = await users.find(db, order.userId);
    const request = await requests.find(db, order.requestId);
    // The recipient may have lost access to the request.
    if (!recipient || !request || !(await notifications.concerns(db, request, recipient.id))) return undefined;
    if (!wantsMail(recipient)) return undefined;
    const actor = await nameOf(order.actorId);
    const { commentId, threadId } = order;
    const text = commentId === null ? undefined : await comments.textOf(db, request.id, commentId);
    // The comment was deleted.
    if (commentId !== null && text === undefined) return undefined;
    const anchor = commentId === null ? "" : `#commentevent-${threadId === null ? "" : `${threadId}_`}${commentId}`;
    const guest = await guestOf(request.id, order.actorId);
    const write = () =>
      mailContent({
        trigger: order.trigger,
        actor: actor ?? (guest || mailWords.somebody),
        title: request.title,
        link: `${host.baseUrl}/me/requests/${request.id}${anchor}`,
        ...(text === undefined ? {} : { comment: plainTextOf(text).trim() }),
      });
    const language = mailLanguage(host.settings, recipient);
    return { id, to: recipient.email, language, ...inLanguage(language, write) };
  }

  return async (jobs: readonly JobRow[]): Promise<Mail | undefined> => {
    const mails: Mail[] = [];
    let seen = 0;
    for (const job of jobs) {
      if (mails.length === maxInMail) break;
      seen++;
      const mail = await compose(job.id, JSON.parse(job.payload));
      if (mail) mails.push(mail);
    }
    const [latest] = mails;
    const more = jobs.length - seen;
    if (!latest || (mails.length === 1 && more === 0)) return latest;
    return inLanguage(latest.language ?? "en", () => gatheredMail(latest, mails, more));
  };
}
