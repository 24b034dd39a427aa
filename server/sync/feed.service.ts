import type { AccessService } from "../../shared/access/access.service.ts";
import { isAtLeast, type Level } from "../../shared/access/level.policy.ts";
import type { Db, Tx } from "../../shared/database/open.ts";
import type { FeedRow } from "../../shared/database/schema.ts";
import { anonymous, type Caller, isSuperuser } from "../../shared/kernel/caller.ts";
import type { ObjectRef } from "../../shared/kernel/host.ts";
import { mayRead } from "../../shared/requests/request.policy.ts";
import {
  existsFamily,
  findNotified,
  findRequestParties,
  hasPublicRecord,
  isReviewing,
  listFamilyCandidates,
  listRequestsOn,
  listRoles,
  listSubscribers,
} from "./audience.repository.ts";
import { listFollowers, takeSeq, upsertFeed } from "./feed.repository.ts";

/** A person as a caller, for questions that the server asks on her behalf. */
export async function callerFor(tx: Db, userId: string): Promise<Caller> {
  return {
    ...anonymous,
    userId,
    roles: new Set(await listRoles(tx, userId)),
    scopes: new Set(["read", "write"]),
    via: "token",
  };
}

/** A person who may have to do with a family, and what she may do there. */
interface Candidate {
  caller: Caller;
  level: Level;
}

/** Who may hold what, at one moment; what was found out for one object of a change serves the others. */
class Audiences {
  readonly #tx: Tx;
  readonly #access: AccessService;
  readonly #people = new Map<string, Map<string, Candidate>>();

  constructor(tx: Tx, access: AccessService) {
    this.#tx = tx;
    this.#access = access;
  }

  /** Who may hold an object now; undefined when it is gone. */
  async of(ref: ObjectRef): Promise<Set<string> | undefined> {
    if (ref.kind === "family") return this.#ofFamily(ref.id);
    if (ref.kind === "request") return this.#ofRequest(ref.id);
    if (ref.kind === "notification") return this.#ofNotification(ref.id);
    return new Set([ref.id, ...(await listSubscribers(this.#tx, ref.kind, ref.id))]);
  }

  async #judge(userId: string, familyId: string): Promise<Candidate> {
    const caller = await callerFor(this.#tx, userId);
    return { caller, level: (await this.#access.of(this.#tx, caller, familyId)).level };
  }

  /** Empty for a family that is gone. */
  async #candidates(familyId: string): Promise<Map<string, Candidate>> {
    const known = this.#people.get(familyId);
    if (known) return known;
    const found = new Map<string, Candidate>();
    this.#people.set(familyId, found);
    if (!(await existsFamily(this.#tx, familyId))) return found;
    for (const userId of await listFamilyCandidates(this.#tx, familyId)) {
      found.set(userId, await this.#judge(userId, familyId));
    }
    return found;
  }

  async #ofFamily(id: string): Promise<Set<string> | undefined> {
    if (!(await existsFamily(this.#tx, id))) return undefined;
    const isPublic = await hasPublicRecord(this.#tx, id);
    const holders = new Set<string>();
    for (const [userId, { level }] of await this.#candidates(id)) {
      if (isPublic || isAtLeast(level, "view") || (await isReviewing(this.#tx, id, userId))) holders.add(userId);
    }
    return holders;
  }

  async #ofNotification(id: string): Promise<Set<string> | undefined> {
    const userId = await findNotified(this.#tx, id);
    return userId === undefined ? undefined : new Set([userId]);
  }

  /** Its parties, and who may preview its topic or asked for it, as far as they may read it (requests 3.1). */
  async #ofRequest(id: string): Promise<Set<string> | undefined> {
    const request = await findRequestParties(this.#tx, id);
    if (!request) return undefined;
    const { creator_id, receiver_id, topic_parent_id } = request;
    const candidates = await this.#candidates(topic_parent_id);
    const holders = new Set<string>();
    for (const userId of new Set([creator_id, receiver_id, ...candidates.keys(), ...(await this.#subscribers(id))])) {
      const hasTopic = candidates.size > 0;
      const known = candidates.get(userId) ?? (hasTopic ? await this.#judge(userId, topic_parent_id) : undefined);
      const part = {
        isCreator: userId === creator_id,
        isReceiver: userId === receiver_id,
        isPreviewer: known !== undefined && isAtLeast(known.level, "preview"),
        isSuperuser: isSuperuser(known?.caller ?? (await callerFor(this.#tx, userId))),
      };
      if (mayRead(request, part)) holders.add(userId);
    }
    return holders;
  }

  #subscribers(requestId: string): Promise<string[]> {
    return listSubscribers(this.#tx, "request", requestId);
  }
}

/** Objects that change hands when another one changes: a request decides who reaches its topic. */
async function withDependents(tx: Tx, touched: ObjectRef[]): Promise<ObjectRef[]> {
  const all = new Map(touched.map((ref) => [`${ref.kind}:${ref.id}`, ref]));
  for (const ref of touched) {
    if (ref.kind !== "request") continue;
    const request = await findRequestParties(tx, ref.id);
    if (request) all.set(`family:${request.topic_parent_id}`, { kind: "family", id: request.topic_parent_id });
  }
  return [...all.values()];
}

type Told = Omit<FeedRow, "seq">;

/** Rows of the feed that tell of an object; `news`: those of people who did not hold it before, or do not any more. */
async function rowsFor(tx: Tx, audiences: Audiences, ref: ObjectRef): Promise<{ all: Told[]; news: Told[] }> {
  const audience = await audiences.of(ref);
  const before = new Map((await listFollowers(tx, ref)).map((row) => [row.user_id, row.state]));
  const common = { kind: ref.kind, object_id: ref.id };
  const live = [...(audience ?? [])].map((user_id): Told => ({ ...common, user_id, state: "live" }));
  const state = audience ? "withdrawn" : "deleted";
  const lost = [...before.keys()]
    .filter((userId) => !audience?.has(userId) && before.get(userId) !== state)
    .map((user_id): Told => ({ ...common, user_id, state }));
  return { all: [...live, ...lost], news: [...live.filter((row) => before.get(row.user_id) !== "live"), ...lost] };
}

/** Requests follow their topic to who may preview it now, and away from who may not any more. */
async function requestRowsOn(tx: Tx, audiences: Audiences, familyId: string, told: Told[]): Promise<Told[]> {
  const known = new Set(told.filter(({ kind }) => kind === "request").map(({ object_id }) => object_id));
  const rows: Told[] = [];
  for (const id of await listRequestsOn(tx, familyId)) {
    if (!known.has(id)) rows.push(...(await rowsFor(tx, audiences, { kind: "request", id })).news);
  }
  return rows;
}

/**
 * Tells the replicas of everybody concerned that objects changed, in the transaction of the change. Who held an object
 * and may not any more gets it withdrawn, which is not the same as deleted (hosts-and-sync 6).
 * @returns the position of the change; taken last in the transaction.
 */
export async function publishChanges(tx: Tx, access: AccessService, touched: ObjectRef[]): Promise<number> {
  const audiences = new Audiences(tx, access);
  const rows: Told[] = [];
  const moved: string[] = [];
  for (const ref of await withDependents(tx, touched)) {
    const { all, news } = await rowsFor(tx, audiences, ref);
    rows.push(...all);
    if (ref.kind === "family" && news.length > 0) moved.push(ref.id);
  }
  for (const familyId of moved) rows.push(...(await requestRowsOn(tx, audiences, familyId, rows)));
  const seq = await takeSeq(tx);
  await upsertFeed(
    tx,
    rows.map((row) => ({ ...row, seq })),
  );
  return seq;
}
