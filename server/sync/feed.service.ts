import type { AccessService } from "../../shared/access/access.service.ts";
import { isAtLeast } from "../../shared/access/level.policy.ts";
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

/** Who may hold an object now; undefined when it is gone. */
async function audienceOf(tx: Tx, access: AccessService, ref: ObjectRef): Promise<Set<string> | undefined> {
  if (ref.kind === "family") return familyAudience(tx, access, ref.id);
  if (ref.kind === "request") return requestAudience(tx, access, ref.id);
  if (ref.kind === "notification") return notificationAudience(tx, ref.id);
  return new Set([ref.id, ...(await listSubscribers(tx, ref.kind, ref.id))]);
}

async function familyAudience(tx: Tx, access: AccessService, id: string): Promise<Set<string> | undefined> {
  if (!(await existsFamily(tx, id))) return undefined;
  const isPublic = await hasPublicRecord(tx, id);
  const holders = new Set<string>();
  for (const userId of await listFamilyCandidates(tx, id)) {
    const { level } = await access.of(tx, await callerFor(tx, userId), id);
    if (isPublic || isAtLeast(level, "view") || (await isReviewing(tx, id, userId))) holders.add(userId);
  }
  return holders;
}

async function notificationAudience(tx: Tx, id: string): Promise<Set<string> | undefined> {
  const userId = await findNotified(tx, id);
  return userId === undefined ? undefined : new Set([userId]);
}

async function requestAudience(tx: Tx, access: AccessService, id: string): Promise<Set<string> | undefined> {
  const request = await findRequestParties(tx, id);
  if (!request) return undefined;
  const { creator_id, receiver_id, topic_parent_id } = request;
  const hasTopic = await existsFamily(tx, topic_parent_id);
  const readers = [
    ...(await listSubscribers(tx, "request", id)),
    ...(hasTopic ? await listFamilyCandidates(tx, topic_parent_id) : []),
  ];
  const holders = new Set<string>();
  for (const userId of new Set([creator_id, receiver_id, ...readers])) {
    const caller = await callerFor(tx, userId);
    const isPreviewer = hasTopic && isAtLeast((await access.of(tx, caller, topic_parent_id)).level, "preview");
    const isCreator = userId === creator_id;
    const isReceiver = userId === receiver_id;
    const part = { isCreator, isReceiver, isPreviewer, isSuperuser: isSuperuser(caller) };
    if (mayRead(request, part)) holders.add(userId);
  }
  return holders;
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

/** Whether other people hold the object than before. */
function isChanged(before: readonly FeedRow[], audience: ReadonlySet<string> | undefined): boolean {
  const live = before.filter(({ state }) => state === "live");
  return live.length !== (audience?.size ?? 0) || live.some(({ user_id }) => !audience?.has(user_id));
}

/** Requests on a topic, which those may read who may preview it; but those that are told of anyway. */
async function requestsOn(tx: Tx, familyId: string, refs: readonly ObjectRef[]): Promise<ObjectRef[]> {
  const ids = await listRequestsOn(tx, familyId);
  return ids
    .filter((id) => !refs.some((ref) => ref.kind === "request" && ref.id === id))
    .map((id) => ({ kind: "request", id }));
}

/**
 * Tells the replicas of everybody concerned that objects changed, in the transaction of the change. Who held an object
 * and may not any more gets it withdrawn, which is not the same as deleted (hosts-and-sync 6).
 * @returns the position of the change; taken last in the transaction.
 */
export async function publishChanges(tx: Tx, access: AccessService, touched: ObjectRef[]): Promise<number> {
  const rows: Omit<FeedRow, "seq">[] = [];
  const refs = await withDependents(tx, touched);
  for (const ref of refs) {
    const audience = await audienceOf(tx, access, ref);
    const before = await listFollowers(tx, ref);
    const common = { kind: ref.kind, object_id: ref.id };
    for (const userId of audience ?? []) rows.push({ ...common, user_id: userId, state: "live" });
    for (const row of before) {
      if (audience?.has(row.user_id)) continue;
      const state = audience ? "withdrawn" : "deleted";
      if (row.state !== state) rows.push({ ...common, user_id: row.user_id, state });
    }
    if (ref.kind === "family" && isChanged(before, audience)) refs.push(...(await requestsOn(tx, ref.id, refs)));
  }
  const seq = await takeSeq(tx);
  await upsertFeed(
    tx,
    rows.map((row) => ({ ...row, seq })),
  );
  return seq;
}
