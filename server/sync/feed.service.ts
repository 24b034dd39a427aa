import type { AccessService } from "../../shared/access/access.service.ts";
import { isAtLeast, type Level } from "../../shared/access/level.policy.ts";
import { listPeople } from "../../shared/bundles/bundle.repository.ts";
import { isForEverybody } from "../../shared/bundles/bundle.service.ts";
import type { Db, Tx } from "../../shared/database/open.ts";
import type { FeedRow, ParentRow } from "../../shared/database/schema.ts";
import { mayReadGroup } from "../../shared/groups/group.policy.ts";
import { anonymous, type Caller, isSuperuser } from "../../shared/kernel/caller.ts";
import type { ObjectRef } from "../../shared/kernel/host.ts";
import { mayRead } from "../../shared/requests/request.policy.ts";
import {
  findFamily,
  findGroupRow,
  findNotified,
  findRequestParties,
  isReviewing,
  listAccess,
  listFamilyCandidates,
  listRequestsOn,
  listRoles,
  listSubscribers,
} from "./audience.repository.ts";
import { findLastTold, listFollowers, takeSeq, upsertFeed } from "./feed.repository.ts";

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

/** A family and the people who may have to do with it, with what each may do there. */
interface Circle {
  family: ParentRow;
  levels: Map<string, Level>;
}

/** Who may hold what, at one moment; what was found out for one object of a change serves the others. */
class Audiences {
  readonly #tx: Tx;
  readonly #access: AccessService;
  readonly #circles = new Map<string, Circle | undefined>();
  readonly #callers = new Map<string, Caller>();

  constructor(tx: Tx, access: AccessService) {
    this.#tx = tx;
    this.#access = access;
  }

  /** Who may hold an object now; undefined when it is gone. */
  async of(ref: ObjectRef): Promise<Set<string> | undefined> {
    if (ref.kind === "family") return this.#ofFamily(ref.id);
    if (ref.kind === "request") return this.#ofRequest(ref.id);
    if (ref.kind === "notification") return this.#ofNotification(ref.id);
    return ref.kind === "user" ? this.#ofPerson(ref.id) : this.#ofGroup(ref.id);
  }

  async #caller(userId: string): Promise<Caller> {
    const caller = this.#callers.get(userId) ?? (await callerFor(this.#tx, userId));
    this.#callers.set(userId, caller);
    return caller;
  }

  async #levelOf(userId: string, family: ParentRow): Promise<Level> {
    if (userId === family.owner_id) return "manage";
    return (await this.#access.ofParent(this.#tx, await this.#caller(userId), family)).level;
  }

  /** Undefined for a family that is gone. */
  async #circleOf(familyId: string): Promise<Circle | undefined> {
    if (this.#circles.has(familyId)) return this.#circles.get(familyId);
    const family = await findFamily(this.#tx, familyId);
    const circle = family && { family, levels: new Map<string, Level>() };
    this.#circles.set(familyId, circle);
    if (!circle) return undefined;
    for (const userId of await listFamilyCandidates(this.#tx, circle.family)) {
      circle.levels.set(userId, await this.#levelOf(userId, circle.family));
    }
    return circle;
  }

  async #ofFamily(id: string): Promise<Set<string> | undefined> {
    const circle = await this.#circleOf(id);
    if (!circle) return undefined;
    const holders = new Set<string>();
    const others: string[] = [];
    for (const [userId, level] of circle.levels) {
      if (isAtLeast(level, "view")) holders.add(userId);
      else others.push(userId);
    }
    const isPublic = others.length > 0 && (await listAccess(this.#tx, id)).some(isForEverybody);
    for (const userId of others) if (isPublic || (await isReviewing(this.#tx, id, userId))) holders.add(userId);
    return holders;
  }

  /** Herself, and who opened her card, as long as it is for others to see (requests 12). */
  async #ofPerson(id: string): Promise<Set<string>> {
    const subscribers = await listSubscribers(this.#tx, "user", id);
    const isSeen = subscribers.length > 0 && (await listPeople(this.#tx, [id])).length > 0;
    return new Set([id, ...(isSeen ? subscribers : [])]);
  }

  /** Who opened it and may read it still (requests 11). */
  async #ofGroup(name: string): Promise<Set<string> | undefined> {
    const group = await findGroupRow(this.#tx, name);
    if (!group) return undefined;
    const holders = new Set<string>();
    for (const userId of await listSubscribers(this.#tx, "group", name)) {
      if (mayReadGroup(await this.#caller(userId), group)) holders.add(userId);
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
    const topic = await this.#circleOf(topic_parent_id);
    const nearby = topic?.levels.keys() ?? [];
    const holders = new Set<string>();
    for (const userId of new Set([creator_id, receiver_id, ...nearby, ...(await this.#subscribers(id))])) {
      const level = topic ? (topic.levels.get(userId) ?? (await this.#levelOf(userId, topic.family))) : "none";
      const part = {
        isCreator: userId === creator_id,
        isReceiver: userId === receiver_id,
        isPreviewer: isAtLeast(level, "preview"),
        isSuperuser: isSuperuser(await this.#caller(userId)),
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

/**
 * Requests follow their topic to who may preview it now, and away from who may not any more: also where all who held the
 * topic hold it still, each at another level perhaps.
 */
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
  const told = await withDependents(tx, touched);
  for (const ref of told) rows.push(...(await rowsFor(tx, audiences, ref)).all);
  for (const { kind, id } of told) if (kind === "family") rows.push(...(await requestRowsOn(tx, audiences, id, rows)));
  const seq = await takeSeq(tx);
  await upsertFeed(
    tx,
    rows.map((row) => ({ ...row, seq })),
  );
  return seq;
}

/**
 * Where a write stands that changed nothing: behind all that its person is told of, so that there is nothing that her
 * replicas would have to wait for.
 */
export const lastTold = async (tx: Tx, { userId }: Caller): Promise<number> =>
  userId === null ? 0 : ((await findLastTold(tx, userId))?.seq ?? 0);
