import type { Db, Tx } from "../database/open.ts";
import type { RequestRow } from "../database/schema.ts";
import type { Caller } from "../kernel/caller.ts";
import { Failure, invalidField } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { parse } from "../kernel/parse.ts";
import { mayReadUser } from "../users/user.policy.ts";
import type { UserService } from "../users/user.service.ts";
import { takeNumber } from "./request.repository.ts";
import { requestType, reviewBody } from "./request.schema.ts";

export interface ReceiverCheck {
  /** The user id in `{user: id}`. @throws Failure 400 with `receiver`, the same for unknown and hidden users. */
  check(db: Db, caller: Caller, receiver: unknown): Promise<string>;
}

/** @throws Failure 400 with `expires_at` unless it lies in the future. */
export function assertFuture(expiresAt: number | null, now: number): number | null {
  if (expiresAt !== null && expiresAt <= now) {
    throw invalidField("expires_at", "Expiration date must be set to the future");
  }
  return expiresAt;
}

/** The id in `{user: id}` with no other key, or undefined. */
export function userIn(receiver: unknown): string | undefined {
  if (receiver === null || typeof receiver !== "object" || Array.isArray(receiver)) return undefined;
  const [[key, value] = [], ...more] = Object.entries(receiver);
  return key === "user" && typeof value === "string" && more.length === 0 ? value : undefined;
}

export function receiverCheck(host: Host, users: UserService): ReceiverCheck {
  return {
    async check(db, caller, receiver) {
      if (receiver === undefined) throw invalidField("receiver", "Missing data for required field.");
      const id = userIn(receiver);
      if (id === undefined) throw invalidField("receiver", "Exactly one user is expected.");
      const user = await users.find(db, id);
      if (!user && !host.abilities.holdsEverything) {
        // The server checks users that this replica does not know.
        if (host.isServerReachable()) return id;
        throw new Failure("unavailable", "This person is not known on this computer: the server is needed.");
      }
      if (!user?.active || !mayReadUser(caller, user)) throw invalidField("receiver", "There is no such user.");
      return id;
    },
  };
}

/** The topic of a request. */
export interface Topic {
  recordId: string;
  parentId: string;
}

/** Reads the body of a new request. @throws Failure 400 by field. */
export async function readReview(db: Db, receivers: ReceiverCheck, caller: Caller, sent: unknown, now: number) {
  const body = parse(reviewBody, sent ?? {});
  if (body.type !== undefined && body.type !== requestType) throw invalidField("type", "Invalid review type.");
  return {
    receiver_id: await receivers.check(db, caller, body.receiver),
    expires_at: assertFuture(body.expires_at ?? null, now),
    title: body.title ?? "",
    description: body.description ?? null,
  };
}

/**
 * The row of a new request in `draft` (requests 4.1).
 * @throws Failure 400 with `type`, `receiver`, `title`, `description`, `expires_at`.
 */
export async function newRequest(
  tx: Tx,
  receivers: ReceiverCheck,
  caller: Caller,
  topic: Topic,
  input: { id: string; body: unknown; now: number },
): Promise<RequestRow> {
  const { id, now } = input;
  return {
    id,
    ...(await readReview(tx, receivers, caller, input.body, now)),
    number: await takeNumber(tx),
    status: "draft",
    creator_id: caller.userId ?? "",
    reviewers: "[]",
    topic_record_id: topic.recordId,
    topic_parent_id: topic.parentId,
    is_locked: 0,
    last_activity_at: now,
    created: now,
    updated: now,
    revision_id: 1,
  };
}
