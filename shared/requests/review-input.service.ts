import type { Db, Tx } from "../database/open.ts";
import type { RequestRow } from "../database/schema.ts";
import { mayReadGroup } from "../groups/group.policy.ts";
import type { GroupService } from "../groups/group.service.ts";
import type { Caller } from "../kernel/caller.ts";
import { Failure, invalidField } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { parse } from "../kernel/parse.ts";
import { mayReadUser } from "../users/user.policy.ts";
import type { UserService } from "../users/user.service.ts";
import { takeNumber } from "./request.repository.ts";
import { requestType, reviewBody } from "./request.schema.ts";
import { firstReviewers } from "./reviewer.policy.ts";
import { maxReviewers, type Named } from "./reviewer.schema.ts";

export interface ReceiverCheck {
  /** The user id in `{user: id}`. @throws Failure 400 with `receiver`, the same for unknown and hidden users. */
  check(db: Db, caller: Caller, receiver: unknown): Promise<string>;
  /** The user or group in `{user: id}` or `{group: name}`. @throws Failure 400 with the field, as above. */
  checkReviewer(db: Db, caller: Caller, named: unknown, field: string): Promise<Named>;
  /** @throws Failure 400 with `expires_at` unless it lies in the future, by the server's clock. */
  checkExpiry(expiresAt: number | null, now: number): number | null;
}

/** Keys of a reviewer in an answer, which may be sent back. */
const answered = ["outcome", "decided_at", "is_deactivated"];

/** The user or group in `{user: id}` or `{group: name}`, or undefined. */
function namedOne(sent: unknown): Named | undefined {
  if (sent === null || typeof sent !== "object" || Array.isArray(sent)) return undefined;
  const [[key, value] = [], ...more] = Object.entries(sent).filter(([name]) => !answered.includes(name));
  if (typeof value !== "string" || value === "" || more.length > 0) return undefined;
  return key === "user" ? { user: value } : key === "group" ? { group: value } : undefined;
}

/** The users and groups of a list; undefined if it is none. */
export function namedIn(sent: unknown): Named[] | undefined {
  if (sent === undefined) return [];
  if (!Array.isArray(sent) || sent.length > maxReviewers) return undefined;
  const named = sent.map(namedOne);
  return named.every((one) => one !== undefined) ? named : undefined;
}

/** The id in `{user: id}` with no other key, or undefined. */
export function userIn(receiver: unknown): string | undefined {
  if (receiver === null || typeof receiver !== "object" || Array.isArray(receiver)) return undefined;
  const [[key, value] = [], ...more] = Object.entries(receiver);
  return key === "user" && typeof value === "string" && more.length === 0 ? value : undefined;
}

export function receiverCheck(host: Host, users: UserService, groups: Pick<GroupService, "find">): ReceiverCheck {
  /** The server checks what this replica does not know. @throws Failure 503 when it cannot be reached. */
  function assertServerChecks(what: string): void {
    if (host.isServerReachable()) return;
    throw new Failure("unavailable", `This ${what} is not known on this computer: the server is needed.`);
  }

  async function checkUser(db: Db, caller: Caller, id: string, field: string): Promise<string> {
    const user = await users.find(db, id);
    if (!user && !host.abilities.holdsEverything) {
      assertServerChecks("person");
      return id;
    }
    if (!user?.active || !mayReadUser(caller, user)) throw invalidField(field, "There is no such user.");
    return id;
  }

  async function checkGroup(db: Db, caller: Caller, name: string, field: string): Promise<string> {
    const group = await groups.find(db, name);
    if (!group && !host.abilities.holdsEverything) {
      assertServerChecks("group");
      return name;
    }
    if (!group || !mayReadGroup(caller, group)) throw invalidField(field, "There is no such group.");
    return name;
  }

  return {
    async check(db, caller, receiver) {
      if (receiver === undefined) throw invalidField("receiver", "Missing data for required field.");
      const id = userIn(receiver);
      if (id === undefined) throw invalidField("receiver", "Exactly one user is expected.");
      return checkUser(db, caller, id, "receiver");
    },
    async checkReviewer(db, caller, named, field) {
      const { user, group } = namedOne(named) ?? {};
      if (user !== undefined) return { user: await checkUser(db, caller, user, field) };
      if (group !== undefined) return { group: await checkGroup(db, caller, group, field) };
      throw invalidField(field, "Exactly one user or group is expected.");
    },
    checkExpiry(expiresAt, now) {
      if (expiresAt !== null && expiresAt <= host.byServer(now)) {
        throw invalidField("expires_at", "Expiration date must be set to the future");
      }
      return expiresAt;
    },
  };
}

/** The stored form of the named reviewers. @throws Failure 400 with `reviewers` or one of its items. */
async function readReviewers(db: Db, receivers: ReceiverCheck, caller: Caller, receiverId: string, sent: unknown) {
  const named = namedIn(sent);
  if (!named) throw invalidField("reviewers", `A list of at most ${maxReviewers} users and groups is expected.`);
  for (const [index, one] of named.entries()) await receivers.checkReviewer(db, caller, one, `reviewers.${index}`);
  return firstReviewers(receiverId, named);
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
  const receiverId = await receivers.check(db, caller, body.receiver);
  return {
    receiver_id: receiverId,
    reviewers: await readReviewers(db, receivers, caller, receiverId, body.reviewers),
    expires_at: receivers.checkExpiry(body.expires_at ?? null, now),
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
    topic_record_id: topic.recordId,
    topic_parent_id: topic.parentId,
    is_locked: 0,
    last_activity_at: now,
    created: now,
    updated: now,
    revision_id: 1,
  };
}
