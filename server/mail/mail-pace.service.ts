import type { GuestOrder } from "../../shared/access-requests/guest-order.ts";
import type { Db } from "../../shared/database/open.ts";
import type { MailOrder } from "../../shared/notifications/notification.service.ts";
import type { RemovalOrder } from "../../shared/notifications/removal-notice.service.ts";
import { countedMicros, listSent } from "./mail.repository.ts";

const hourMicros = 3_600 * 1_000_000;

type Order = MailOrder | GuestOrder | RemovalOrder;

const requestOf = (order: Order) => ("requestId" in order ? order.requestId : undefined);
const actorOf = (order: Order) => ("actorId" in order ? order.actorId : undefined);

/** After so many mails in 24 hours, the next ones are gathered. One user can act on many requests, so users count too. */
const bounds: { most: number; isLike(sent: Order, next: Order): boolean }[] = [
  { most: 10, isLike: (sent, next) => requestOf(sent) === requestOf(next) },
  { most: 20, isLike: (sent, next) => actorOf(sent) === actorOf(next) },
  { most: 50, isLike: () => true },
];

/**
 * Whether a mail to a recipient is one of many.
 * @returns undefined to send the mail alone; otherwise the time to send all gathered ones: an hour after the last mail.
 */
export async function paceOf(db: Db, recipient: string, next: Order, now: number): Promise<number | undefined> {
  const rows = await listSent(db, recipient, now - countedMicros, now);
  const sent = rows.map(({ payload, run_at }) => ({ order: JSON.parse(payload) as Order, at: run_at }));
  const times = bounds.flatMap(({ most, isLike }) => {
    const like = sent.filter(({ order }) => isLike(order, next)).map(({ at }) => at);
    return like.length < most ? [] : [Math.max(...like) + hourMicros];
  });
  return times.length === 0 ? undefined : Math.max(...times);
}
