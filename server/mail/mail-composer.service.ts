import { findAccessRequest } from "../../shared/access-requests/access-request.reader.ts";
import { guestId } from "../../shared/access-requests/access-request.schema.ts";
import { type GuestOrder, isGuestOrder } from "../../shared/access-requests/guest-order.ts";
import { type AccountOrder, isAccountOrder } from "../../shared/accounts/account-order.ts";
import type { CommentReader } from "../../shared/comments/event-reader.service.ts";
import type { JobRow } from "../../shared/database/schema.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { inLanguage } from "../../shared/kernel/spoken-language.ts";
import type { MailOrder, NotificationService } from "../../shared/notifications/notification.service.ts";
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

  /** Composes the mail from the current state; undefined if there is nothing to say any more. */
  async function compose(id: string, order: MailOrder | AccountOrder | GuestOrder): Promise<Mail | undefined> {
    if (isAccountOrder(order)) return accountMail(id, order);
    if (isGuestOrder(order)) return guestMail(id, order);
    const recipient = await users.find(db, order.userId);
    const request = await requests.find(db, order.requestId);
    // The recipient may have lost access to the request.
    if (!recipient || !request || !(await notifications.concerns(db, request, recipient.id))) return undefined;
    if (JSON.parse(recipient.preferences).notifications?.enabled === false) return undefined;
    const actor = await users.find(db, order.actorId);
    const { commentId, threadId } = order;
    const text = commentId === null ? undefined : await comments.textOf(db, request.id, commentId);
    // The comment was deleted.
    if (commentId !== null && text === undefined) return undefined;
    const anchor = commentId === null ? "" : `#commentevent-${threadId === null ? "" : `${threadId}_`}${commentId}`;
    const guest = await guestOf(request.id, order.actorId);
    const write = () =>
      mailContent({
        trigger: order.trigger,
        actor: actor?.full_name || actor?.username || guest || mailWords.somebody,
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
