import type { Db, Tx } from "../database/open.ts";
import type { AccessRequestRow, RequestRow } from "../database/schema.ts";
import type { Caller } from "../kernel/caller.ts";
import { Failure } from "../kernel/failure.ts";
import type { WriteResult } from "../kernel/host.ts";
import type { NotificationService } from "../notifications/notification.service.ts";
import { mayReadFiles } from "../records/record.policy.ts";
import type { Readable, RecordService } from "../records/record.service.ts";
import { openRequest } from "../requests/request-opening.service.ts";
import type { UserService } from "../users/user.service.ts";
import { insertAccessRequest } from "./access-request.repository.ts";

/** What an owner offers: who may ask for the files, under which conditions. */
export interface AccessOffer {
  isForUsers: boolean;
  isForGuests: boolean;
  /** HTML as it was entered; clean it before it is shown. */
  conditions: string | null;
  /** Days after which a guest's link ends; 0: never. */
  linkDays: number;
  /** The owner can decide: the account is not closed. */
  isAttended: boolean;
}

export interface OfferParts {
  records: RecordService;
  users: Pick<UserService, "find">;
}

export const notOffered = (): Failure => new Failure("forbidden", "The owner does not take requests for access.");
export const tooMany = (): Failure =>
  new Failure("too_many", "Too many requests for access. Try again later.", { headers: { "Retry-After": "3600" } });
const notAttended = (): Failure =>
  new Failure("forbidden", "The account of the owner is closed, so nobody can decide on requests for access.");
const hasAccess = (): Failure => new Failure("invalid", "You already have access to the files of this record.");

/** What the owner of a record offers; undefined if the caller may read the files already. */
export async function offerOf(
  { users }: Pick<OfferParts, "users">,
  db: Db,
  { family, access }: Readable,
): Promise<AccessOffer | undefined> {
  if (mayReadFiles(access, family.level)) return undefined;
  const settings = JSON.parse(family.parent.settings);
  return {
    isForUsers: settings.allow_user_requests === true,
    isForGuests: settings.allow_guest_requests === true,
    conditions: settings.accept_conditions_text ?? null,
    linkDays: settings.secret_link_expiration ?? 0,
    // A replica does not know everybody.
    isAttended: (await users.find(db, family.parent.owner_id))?.active !== 0,
  };
}

/** The record and what its owner offers. @throws Failure 404, 410, 403; 400 for a caller with access. */
export async function requireOffer(parts: OfferParts, db: Db, caller: Caller, recordId: string) {
  const found = await parts.records.require(db, caller, recordId);
  const offer = await offerOf(parts, db, found);
  if (!offer) throw hasAccess();
  if (!offer.isAttended) throw notAttended();
  return { found, offer };
}

/** What a write of a request returns. @param sent the notifications that it caused. */
export const opened = (request: RequestRow, sent: WriteResult<string>["touched"]): WriteResult<string> => ({
  result: request.id,
  object: { kind: "request", id: request.id },
  touched: [{ kind: "request", id: request.id }, ...sent],
  title: "Ask for access",
});

/** Opens a request for access and notifies the owner. */
export async function openAccessRequest(
  notifications: NotificationService,
  tx: Tx,
  { record, family }: Readable,
  { id, creatorId, now }: { id: string; creatorId: string; now: number },
  asked: Omit<AccessRequestRow, "request_id">,
): Promise<WriteResult<string>> {
  const request = {
    ...{ id, creator_id: creatorId, receiver_id: family.parent.owner_id },
    ...{ topic_record_id: record.id, topic_parent_id: record.parent_id },
    ...{ title: String(JSON.parse(record.metadata).title ?? ""), description: asked.message || null },
  };
  const row = await openRequest(tx, request, now);
  await insertAccessRequest(tx, { request_id: id, ...asked });
  return opened(row, await notifications.ofAction(tx, row, { action: "submit", actorId: creatorId, now }));
}
