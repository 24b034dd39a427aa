import type { Logger } from "pino";
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
import { startJob } from "../job.ts";
import { claimMail, deleteJob, giveUpJob, postponeJob } from "./mail.repository.ts";
import { mailContent } from "./mail-content.ts";
import { mailLanguage } from "./mail-language.ts";
import { mailWords } from "./mail-words.ts";
import { type Mail, type Mailer, Refused } from "./mailer.ts";

const microsPerMinute = 60_000_000;
const mostAttempts = 12;
const givenUpLifeMicros = 30 * 86_400 * 1_000_000;
/** Time limit for the mail under way at a stop, in case the SMTP server does not answer. */
const maxStopMs = 3000;

export interface MailServiceParts {
  host: Host;
  users: UserService;
  requests: RequestService;
  notifications: Pick<NotificationService, "concerns">;
  comments: CommentReader;
  /** Writes mail about accounts. */
  accountMail(id: string, order: AccountOrder): Promise<Mail | undefined>;
  /** Writes mail to guests who ask for access. */
  guestMail(id: string, order: GuestOrder): Promise<Mail | undefined>;
  mailer: Mailer;
  log: Logger;
}

export interface MailService {
  /** Sends all due mail, one at a time. */
  sendDue(): Promise<void>;
  /** Stops after the mail under way, or after some seconds. */
  stop(): Promise<void>;
}

/** Sends mail from the table of jobs. A call that causes mail never waits for it (requests 13). */
export function mailService({
  host,
  users,
  requests,
  notifications,
  comments,
  accountMail,
  guestMail,
  mailer,
  log,
}: MailServiceParts): MailService {
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
    return { id, to: recipient.email, ...inLanguage(mailLanguage(host.settings, recipient), write) };
  }

  async function fail(job: JobRow, error: unknown): Promise<void> {
    const [now, attempts] = [host.now(), job.attempts + 1];
    const last_error = error instanceof Refused ? error.message : String(error);
    if (error instanceof Refused || attempts >= mostAttempts) {
      log.error({ job: job.id, reason: last_error }, "a mail was given up; see `carrel mail list`");
      await giveUpJob(db, job.id, { run_at: now, attempts, last_error, before: now - givenUpLifeMicros });
      return;
    }
    log.warn({ err: error, job: job.id }, "a mail could not be sent");
    await postponeJob(db, job.id, { run_at: now + 2 ** attempts * microsPerMinute, attempts, last_error });
  }

  async function send(job: JobRow, stopping: AbortSignal): Promise<void> {
    try {
      const mail = await compose(job.id, JSON.parse(job.payload));
      if (mail) await mailer.send(mail);
      await deleteJob(db, job.id);
    } catch (error) {
      // The database may be closed. The claim expires by itself.
      if (!stopping.aborted) await fail(job, error);
    }
  }

  const sending = startJob({
    name: "sending mail",
    everyMs: 30_000,
    log,
    async work(stopping) {
      while (!stopping.aborted) {
        const now = host.now();
        const job = await claimMail(db, now, now + 5 * microsPerMinute);
        if (!job) return;
        await send(job, stopping);
      }
    },
  });
  const stopListening = host.onCommitted(() => void sending.run());

  return {
    sendDue: sending.run,
    async stop() {
      stopListening();
      await Promise.race([sending.stop(), new Promise((resolve) => setTimeout(resolve, maxStopMs))]);
      mailer.close();
    },
  };
}
