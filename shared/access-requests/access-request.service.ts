import type { Tx } from "../database/open.ts";
import type { Caller } from "../kernel/caller.ts";
import { Failure, invalidField } from "../kernel/failure.ts";
import { parse } from "../kernel/parse.ts";
import { around } from "../kernel/timestamps.ts";
import type { Readable } from "../records/record.service.ts";
import type { UserService } from "../users/user.service.ts";
import {
  type AccessOffer,
  notOffered,
  offerOf,
  openAccessRequest,
  requireOffer,
  tooMany,
} from "./access-offer.service.ts";
import { countRequests, findOpen } from "./access-request.repository.ts";
import { type AskForAccess, accessRequestBody, askForAccess } from "./access-request.schema.ts";
import { type GuestQuestionParts, type GuestQuestions, guestQuestions } from "./guest-question.service.ts";

const hourMicros = 3_600 * 1_000_000;
const maxOnRecord = 3;
const maxOfUser = 20;

export interface AccessRequestService {
  /** What the owner of a record offers; undefined if the caller may read the files already. */
  offerOf(found: Readable): Promise<AccessOffer | undefined>;
  /** The request for access to a record that waits for a decision; undefined for guests. */
  openOf(caller: Caller, recordId: string): Promise<string | undefined>;
  /**
   * Asks the owner for access. A guest, or a user with another address, has to confirm the address first.
   * @returns the id of the request, or undefined while the address is to be confirmed.
   * @throws Failure 404, 410, 403; 400 by field; 429; 503 without a mail server.
   */
  ask(caller: Caller, recordId: string, body: unknown, network: string): Promise<string | undefined>;
  questions: GuestQuestions;
}

export interface AccessRequestParts extends GuestQuestionParts {
  users: UserService;
}

/** Requests for access to the files of a record (interoperability 14). */
export function accessRequestService(parts: AccessRequestParts): AccessRequestService {
  const { host, users, notifications } = parts;
  const questions = guestQuestions(parts);

  /** Limits requests, withdrawn ones too, because each sends a mail to the owner. @throws Failure 429 */
  async function assertFew(tx: Tx, userId: string, recordId: string, now: number): Promise<void> {
    const within = around(now, hourMicros);
    const isMuch =
      (await countRequests(tx, userId, within, recordId)) >= maxOnRecord ||
      (await countRequests(tx, userId, within)) >= maxOfUser;
    if (isMuch) throw tooMany();
  }

  const askAsUser = (caller: Caller, input: AskForAccess): Promise<string> =>
    host.write(caller, askForAccess, input, async (tx, { now }) => {
      const { found, offer } = await requireOffer(parts, tx, caller, input.recordId);
      if (!offer.isForUsers) throw notOffered();
      const creatorId = caller.userId ?? "";
      const open = await findOpen(tx, found.record.id, { userId: creatorId });
      if (open !== undefined) throw new Failure("invalid", `Identical access requests already exist: ${open}`);
      await assertFew(tx, creatorId, found.record.id, now);
      const { message } = input;
      const row = { type: "user-access-request", email: null, full_name: null, message, link_days: 0 } as const;
      return openAccessRequest(notifications, tx, found, { id: input.id, creatorId, now }, row);
    });

  async function isAnother(caller: Caller, email: string): Promise<boolean> {
    const user = caller.userId === null ? undefined : await users.find(host.db, caller.userId);
    return email.trim().toLowerCase() !== user?.email.toLowerCase();
  }

  return {
    offerOf: (found) => offerOf(parts, host.db, found),
    openOf: async ({ userId }, recordId) => (userId === null ? undefined : findOpen(host.db, recordId, { userId })),
    async ask(caller, recordId, body, network) {
      const { email, message } = parse(accessRequestBody, body ?? {});
      if (caller.userId !== null && (!email || !(await isAnother(caller, email)))) {
        return askAsUser(caller, { recordId, id: host.newUuid(), message: message ?? "" });
      }
      if (!email) {
        await requireOffer(parts, host.db, caller, recordId);
        throw invalidField("email", "Missing data for required field.");
      }
      await questions.ask(caller, recordId, body, network);
      return undefined;
    },
    questions,
  };
}
