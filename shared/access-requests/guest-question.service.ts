import type { AccessLinkService } from "../access/access-link.service.ts";
import { type Db, transaction } from "../database/open.ts";
import type { AccessConfirmationRow, AccessLinkRow, RequestRow } from "../database/schema.ts";
import { anonymous, type Caller, system } from "../kernel/caller.ts";
import { Failure, notFound } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { parse } from "../kernel/parse.ts";
import { spokenLanguage } from "../kernel/spoken-language.ts";
import { around, endsWithin, isWithin, pressMicros } from "../kernel/timestamps.ts";
import { orderMail } from "../notifications/mail-order.service.ts";
import type { NotificationService } from "../notifications/notification.service.ts";
import type { RequestActionService } from "../requests/request-action.service.ts";
import {
  notOffered,
  type OfferParts,
  openAccessRequest,
  opened,
  requireOffer,
  tooMany,
} from "./access-offer.service.ts";
import { findConfirmation } from "./access-request.reader.ts";
import {
  countConfirmations,
  findOpen,
  insertConfirmation,
  isAsked,
  setRequestOf,
} from "./access-request.repository.ts";
import {
  type ConfirmGuest,
  confirmGuest,
  guestBody,
  guestId,
  type WithdrawGuest,
  withdrawGuest,
} from "./access-request.schema.ts";
import type { GuestOrder } from "./guest-order.ts";

const hourMicros = 3_600 * 1_000_000;
const confirmationMicros = 6 * hourMicros;
const maxOfAddress = 3;
const maxOfNetwork = 20;

/** A guest's question with what became of it. */
export interface GuestQuestion {
  confirmation: AccessConfirmationRow;
  request: RequestRow | undefined;
  /** After acceptance, until the link ends or is deleted. */
  link: AccessLinkRow | undefined;
  /** The address was not confirmed in time, or the request is gone. */
  isOver: boolean;
}

export interface GuestQuestions {
  /**
   * Sends a guest the mail with which they confirm their address.
   * @throws Failure 404, 410, 403; 400 by field; 429; 503 without a mail server.
   */
  ask(caller: Caller, recordId: string, body: unknown, network: string): Promise<void>;
  /** A guest's question by its id. @throws Failure 404. */
  require(db: Db, confirmationId: string): Promise<GuestQuestion>;
  /** The title of the record that a question is about. @throws Failure 404, 410; 403 if it is not public any more. */
  titleOf(db: Db, recordId: string): Promise<string>;
  /** Sends a guest's question to the owner. @throws Failure 404; 400 when the link has ended. */
  confirm(caller: Caller, input: ConfirmGuest): Promise<string>;
  /** @throws Failure 404; 400 when it is decided already. */
  withdraw(caller: Caller, input: WithdrawGuest): Promise<string>;
}

export interface GuestQuestionParts extends OfferParts {
  host: Host;
  links: Pick<AccessLinkService, "findMade">;
  requests: { find(db: Db, id: string): Promise<RequestRow | undefined> };
  actions: Pick<RequestActionService, "carryOut">;
  notifications: NotificationService;
}

/** Questions of guests for access, from the form until the decision (interoperability 14). */
export function guestQuestions(parts: GuestQuestionParts) {
  const { host, records, links, requests, actions, notifications } = parts;

  async function ask(caller: Caller, recordId: string, body: unknown, network: string): Promise<void> {
    const { found, offer } = await requireOffer(parts, host.db, caller, recordId);
    if (!offer.isForGuests) throw notOffered();
    if (!host.settings.smtp) throw new Failure("unavailable", "This server sends no mail, so guests cannot ask here.");
    const guest = parse(guestBody, body);
    const now = host.now();
    const { email, full_name, message } = guest;
    const id = host.newUuid();
    // Counted in the transaction that adds to the count: of two calls at once, the second one sees the first.
    const isSent = await transaction(host.db, async (tx) => {
      if ((await countConfirmations(tx, { network }, around(now, hourMicros))) >= maxOfNetwork) throw tooMany();
      // The same answer for every address: nobody is flooded with mail, and nobody learns who has asked.
      if ((await countConfirmations(tx, { email }, around(now, hourMicros))) >= maxOfAddress) return false;
      const asked = { record_id: found.record.id, email, full_name, message };
      // A second press. Who gets no mail asks again later.
      if (await isAsked(tx, asked, around(now, pressMicros))) return false;
      const times = { created: now, expires_at: now + confirmationMicros };
      const row = { id, ...asked, network, ...times, request_id: null };
      const language = spokenLanguage() ?? null;
      await insertConfirmation(tx, { ...row, language });
      await orderMail(tx, host, { guest: "confirm", confirmationId: id } satisfies GuestOrder);
      return true;
    });
    if (isSent) host.announceCommit();
  }

  async function require(db: Db, confirmationId: string): Promise<GuestQuestion> {
    const confirmation = await findConfirmation(db, confirmationId);
    if (!confirmation) throw notFound();
    const { request_id: requestId } = confirmation;
    const request = requestId === null ? undefined : await requests.find(db, requestId);
    const link = request && (await links.findMade(db, request.topic_parent_id, request.id));
    const isInTime = isWithin(confirmation.expires_at, endsWithin(host.now(), confirmationMicros));
    const isOver = requestId === null ? !isInTime : request === undefined;
    return { confirmation, request, link, isOver };
  }

  const confirm = (caller: Caller, input: ConfirmGuest): Promise<string> =>
    host.write(caller, confirmGuest, input, async (tx, { now }) => {
      const { confirmation, request, isOver } = await require(tx, input.confirmationId);
      if (isOver) throw new Failure("invalid", "The link has ended. Please ask again.");
      // A second press of the same button.
      if (request) return { ...opened(request, []), touched: [] };
      const { email, full_name, message } = confirmation;
      const { found, offer } = await requireOffer(parts, tx, caller, confirmation.record_id);
      if (!offer.isForGuests) throw notOffered();
      const openId = await findOpen(tx, found.record.id, { email });
      await setRequestOf(tx, confirmation.id, openId ?? input.id);
      const open = openId === undefined ? undefined : await requests.find(tx, openId);
      if (open) return { ...opened(open, []), touched: [] };
      const row = { type: "guest-access-request", email, full_name, message, link_days: offer.linkDays } as const;
      return openAccessRequest(notifications, tx, found, { id: input.id, creatorId: guestId, now }, row);
    });

  const withdraw = (caller: Caller, input: WithdrawGuest): Promise<string> =>
    host.write(caller, withdrawGuest, input, async (tx, { now }) => {
      const { request } = await require(tx, input.confirmationId);
      if (!request) throw notFound();
      const ids = { logId: input.logId, commentId: input.logId };
      return actions.carryOut(tx, request, { action: "cancel", caller: system, now, ...ids, body: undefined });
    });

  async function titleOf(db: Db, recordId: string): Promise<string> {
    const { record } = await records.require(db, anonymous, recordId);
    return String(JSON.parse(record.metadata).title ?? "");
  }

  return { ask, require, titleOf, confirm, withdraw } satisfies GuestQuestions;
}
