import { findAccessRequest, findConfirmation } from "../../shared/access-requests/access-request.reader.ts";
import { type GuestOrder, isGuestOrder } from "../../shared/access-requests/guest-order.ts";
import { findLink } from "../../shared/accounts/account-link.reader.ts";
import { type AccountOrder, isAccountOrder } from "../../shared/accounts/account-order.ts";
import type { Db } from "../../shared/database/open.ts";
import type { JobRow } from "../../shared/database/schema.ts";
import { isoTime } from "../../shared/kernel/timestamps.ts";
import type { MailOrder } from "../../shared/notifications/notification.service.ts";
import { isRemovalOrder, type RemovalOrder } from "../../shared/notifications/removal-notice.service.ts";
import type { UserService } from "../../shared/users/user.service.ts";
import { countMail, discardMail, givenUp, listMail, retryJobs } from "./mail.repository.ts";

function stateOf(job: JobRow): string {
  if (job.kind === givenUp) return "given_up";
  return job.last_error === null ? "waiting" : "failing";
}

/** The recipient of a mail about an account: the user, or the address that a link was sent to. */
async function accountOf(db: Db, order: AccountOrder): Promise<{ userId: string | null; email: string | null }> {
  if (!("linkId" in order)) return { userId: order.userId, email: null };
  const link = await findLink(db, order.linkId);
  return { userId: link?.user_id ?? null, email: link?.email ?? null };
}

/** The recipient of a mail to a guest who asks for access. */
async function describeGuest(db: Db, order: GuestOrder) {
  const isFirst = order.guest === "confirm";
  const guest = isFirst
    ? await findConfirmation(db, order.confirmationId)
    : await findAccessRequest(db, order.requestId);
  return { user: null, to: guest?.email ?? null, trigger: order.guest, request: isFirst ? null : order.requestId };
}

async function describe(
  db: Db,
  users: Pick<UserService, "find">,
  order: MailOrder | AccountOrder | GuestOrder | RemovalOrder,
) {
  if (isGuestOrder(order)) return describeGuest(db, order);
  const isAccount = isAccountOrder(order);
  const { userId, email } = isAccount ? await accountOf(db, order) : { userId: order.userId, email: null };
  const user = userId === null ? undefined : await users.find(db, userId);
  const about = isAccount
    ? { trigger: order.account, request: null }
    : { trigger: order.trigger, request: isRemovalOrder(order) ? null : order.requestId };
  return { user: userId, to: user?.email ?? email, ...about };
}

/** Unsent mail and its state, for the operator. */
export async function listMailStates(
  db: Db,
  users: Pick<UserService, "find">,
  most = Number.POSITIVE_INFINITY,
): Promise<Record<string, unknown>[]> {
  const states: Record<string, unknown>[] = [];
  const jobs = await listMail(db);
  if (jobs.length > most) jobs.sort((a, b) => Number(b.last_error !== null) - Number(a.last_error !== null));
  for (const job of jobs.slice(0, most)) {
    const { id, last_error, attempts, run_at } = job;
    const state = stateOf(job);
    states.push({
      ...{ id, state, ...(await describe(db, users, JSON.parse(job.payload))) },
      ...(last_error === null ? {} : { reason: last_error, attempts }),
      ...(state === "failing" ? { next_attempt: isoTime(run_at) } : {}),
    });
  }
  return states;
}

/** Makes failed and given-up mail due now: all, or one. @returns how many. */
export const retryMail = (db: Db, id: string | undefined): Promise<number> => retryJobs(db, id);

/** How much unsent mail is in each state. */
export const countMailStates = countMail;

/** Deletes unsent mail. @returns whether there was one. */
export const discard = discardMail;
