import type { AccessService } from "../../shared/access/access.service.ts";
import { isAtLeast, type Level } from "../../shared/access/level.policy.ts";
import { guestId } from "../../shared/access-requests/access-request.schema.ts";
import { listPeople } from "../../shared/bundles/bundle.repository.ts";
import { isForEverybody } from "../../shared/bundles/bundle.service.ts";
import type { Db, Tx } from "../../shared/database/open.ts";
import { mayReadGroup } from "../../shared/groups/group.policy.ts";
import { anonymous, type Caller, isSuperuser } from "../../shared/kernel/caller.ts";
import type { ObjectRef } from "../../shared/kernel/object-ref.ts";
import { levelToRead, mayRead } from "../../shared/requests/request.policy.ts";
import { reviewingGroups, reviewingUsers } from "../../shared/requests/reviewer.policy.ts";
import { rolesWithFactor } from "../../shared/second-factor/second-factor.service.ts";
import type { Settings } from "../../shared/settings/settings.schema.ts";
import {
  type Family,
  type FamilyCircle,
  findCircle,
  findGroupRow,
  findNotified,
  findRequestParties,
  isReviewing,
  listAccess,
  listMemberIds,
  listRequestsOn,
  listRoles,
  listSubscribers,
} from "./audience.repository.ts";
import { type AppliedResult, addToFeed, type FeedEntry, findLastEntry, listFollowers } from "./feed.repository.ts";

/** By what the audience of an object is worked out. */
export interface AudienceRules {
  access: AccessService;
  settings: Pick<Settings, "sign_in">;
}

/** A user as a caller, for checks on their behalf: with the roles that count in a call of theirs. */
export async function callerFor(tx: Db, settings: AudienceRules["settings"], userId: string): Promise<Caller> {
  return {
    ...anonymous,
    userId,
    roles: new Set(await rolesWithFactor(tx, settings, userId, await listRoles(tx, userId))),
    scopes: new Set(["read", "write"]),
    via: "token",
  };
}

/** A family and the access levels of users who may have access. */
interface FamilyLevels {
  circle: FamilyCircle;
  levels: Map<string, Level>;
}

/** Who may hold which object now. Caches results for the objects of one change. */
class Audiences {
  readonly #tx: Tx;
  readonly #rules: AudienceRules;
  readonly #families = new Map<string, FamilyLevels | undefined>();
  readonly #callers = new Map<string, Caller>();

  constructor(tx: Tx, rules: AudienceRules) {
    this.#tx = tx;
    this.#rules = rules;
  }

  /** The users who may hold an object; undefined if it is gone. */
  async of(ref: ObjectRef): Promise<Set<string> | undefined> {
    if (ref.kind === "family") return this.#ofFamily(ref.id);
    if (ref.kind === "request") return this.#ofRequest(ref.id);
    if (ref.kind === "notification") return this.#ofNotification(ref.id);
    return ref.kind === "user" ? this.#ofPerson(ref.id) : this.#ofGroup(ref.id);
  }

  async #caller(userId: string): Promise<Caller> {
    const caller = this.#callers.get(userId) ?? (await callerFor(this.#tx, this.#rules.settings, userId));
    this.#callers.set(userId, caller);
    return caller;
  }

  async #levelOf(userId: string, family: Family): Promise<Level> {
    if (userId === family.owner_id) return "manage";
    return this.#rules.access.levelOn(this.#tx, await this.#caller(userId), family);
  }

  /** Undefined if the family is gone. */
  async #levelsIn(familyId: string): Promise<FamilyLevels | undefined> {
    if (this.#families.has(familyId)) return this.#families.get(familyId);
    const circle = await findCircle(this.#tx, familyId);
    const found = circle && { circle, levels: new Map<string, Level>() };
    this.#families.set(familyId, found);
    if (!found) return undefined;
    for (const userId of found.circle.candidates)
      found.levels.set(userId, await this.#levelOf(userId, found.circle.family));
    return found;
  }

  /** What the feeds of users say of an object. */
  async followersOf(ref: ObjectRef): Promise<Map<string, string>> {
    const family = ref.kind === "family" ? await this.#levelsIn(ref.id) : undefined;
    if (family) return family.circle.followers;
    return new Map((await listFollowers(this.#tx, ref)).map((row) => [row.user_id, row.state]));
  }

  /** Ids of the requests about a family. */
  async requestsOn(familyId: string): Promise<string[]> {
    return this.#families.get(familyId)?.circle.requests ?? listRequestsOn(this.#tx, familyId);
  }

  async #ofFamily(id: string): Promise<Set<string> | undefined> {
    const family = await this.#levelsIn(id);
    if (!family) return undefined;
    const holders = new Set<string>();
    const others: string[] = [];
    for (const [userId, level] of family.levels) {
      if (isAtLeast(level, "view")) holders.add(userId);
      else others.push(userId);
    }
    const isPublic = others.length > 0 && (await listAccess(this.#tx, id)).some(isForEverybody);
    for (const userId of others) if (isPublic || (await isReviewing(this.#tx, id, userId))) holders.add(userId);
    return holders;
  }

  /** The user, and the users who opened their card while it is visible to others (requests 12). */
  async #ofPerson(id: string): Promise<Set<string>> {
    const subscribers = await listSubscribers(this.#tx, "user", id);
    const isSeen = subscribers.length > 0 && (await listPeople(this.#tx, [id])).length > 0;
    return new Set([id, ...(isSeen ? subscribers : [])]);
  }

  /** Users who opened the group and may still read it (requests 11). */
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

  /** The parties, users who may preview the topic, and subscribers, if they may read the request (requests 3.1). */
  async #ofRequest(id: string): Promise<Set<string> | undefined> {
    const request = await findRequestParties(this.#tx, id);
    if (!request) return undefined;
    const { creator_id, topic_parent_id } = request;
    const reviewers = reviewingUsers(request);
    for (const group of reviewingGroups(request)) reviewers.push(...(await listMemberIds(this.#tx, group)));
    const topic = await this.#levelsIn(topic_parent_id);
    const nearby = topic?.levels.keys() ?? [];
    const holders = new Set<string>();
    const needed = levelToRead(request.type !== null);
    for (const userId of new Set([creator_id, ...reviewers, ...nearby, ...(await this.#subscribers(id))])) {
      if (userId === guestId) continue;
      const level = topic ? (topic.levels.get(userId) ?? (await this.#levelOf(userId, topic.circle.family))) : "none";
      const part = {
        isCreator: userId === creator_id,
        isReceiver: reviewers.includes(userId),
        isPreviewer: isAtLeast(level, needed),
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

/** Adds objects whose audience depends on the touched ones: a request gives access to its topic. */
async function withDependents(tx: Tx, touched: ObjectRef[]): Promise<ObjectRef[]> {
  const all = new Map(touched.map((ref) => [`${ref.kind}:${ref.id}`, ref]));
  for (const ref of touched) {
    if (ref.kind !== "request") continue;
    const request = await findRequestParties(tx, ref.id);
    if (request) all.set(`family:${request.topic_parent_id}`, { kind: "family", id: request.topic_parent_id });
  }
  return [...all.values()];
}

/** Feed entries for an object. `changed`: only those of users who gained or lost it. */
async function rowsFor(audiences: Audiences, ref: ObjectRef): Promise<{ all: FeedEntry[]; changed: FeedEntry[] }> {
  const audience = await audiences.of(ref);
  const before = await audiences.followersOf(ref);
  const common = { kind: ref.kind, object_id: ref.id };
  const live = [...(audience ?? [])].map((user_id): FeedEntry => ({ ...common, user_id, state: "live" }));
  const state = audience ? "withdrawn" : "deleted";
  const lost = [...before.keys()]
    .filter((userId) => !audience?.has(userId) && before.get(userId) !== state)
    .map((user_id): FeedEntry => ({ ...common, user_id, state }));
  return { all: [...live, ...lost], changed: [...live.filter((row) => before.get(row.user_id) !== "live"), ...lost] };
}

/**
 * Adds entries for the requests about a family, whose audience follows the access level to the topic, even if nobody
 * gained or lost the topic itself.
 */
async function requestRowsOn(audiences: Audiences, familyId: string, entries: FeedEntry[]): Promise<FeedEntry[]> {
  const known = new Set(entries.filter(({ kind }) => kind === "request").map(({ object_id }) => object_id));
  const rows: FeedEntry[] = [];
  for (const id of await audiences.requestsOn(familyId)) {
    if (!known.has(id)) rows.push(...(await rowsFor(audiences, { kind: "request", id })).changed);
  }
  return rows;
}

/**
 * The feed entries that a user gets by opening an object, once they are subscribed to it: the object itself, and the
 * requests about a family that they may read.
 */
export async function rowsOnOpening(
  tx: Tx,
  rules: AudienceRules,
  userId: string,
  ref: ObjectRef,
): Promise<FeedEntry[]> {
  const opened: FeedEntry = { user_id: userId, kind: ref.kind, object_id: ref.id, state: "live" };
  if (ref.kind !== "family") return [opened];
  const requests = await requestRowsOn(new Audiences(tx, rules), ref.id, []);
  return [opened, ...requests.filter((row) => row.user_id === userId)];
}

/**
 * Writes feed entries for all users whom a change concerns, in its transaction. A user who lost access gets `withdrawn`
 * instead of `deleted` (hosts-and-sync 6).
 * @param applied the result of the operation that made the change.
 * @returns the users whose feed has a new entry.
 */
export async function publishChanges(
  tx: Tx,
  rules: AudienceRules,
  touched: ObjectRef[],
  applied?: AppliedResult,
): Promise<ReadonlySet<string>> {
  const audiences = new Audiences(tx, rules);
  const rows: FeedEntry[] = [];
  const refs = await withDependents(tx, touched);
  for (const ref of refs) rows.push(...(await rowsFor(audiences, ref)).all);
  for (const { kind, id } of refs) if (kind === "family") rows.push(...(await requestRowsOn(audiences, id, rows)));
  await addToFeed(tx, rows, applied);
  return new Set(rows.map((row) => row.user_id));
}

/** Position of a write that changed nothing: the user's last entry, so that their replicas need not wait. */
export const lastSeqFor = async (tx: Db, { userId }: Pick<Caller, "userId">): Promise<number> =>
  userId === null ? 0 : ((await findLastEntry(tx, userId))?.seq ?? 0);
