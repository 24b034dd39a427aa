import { type Insertable, type Selectable, sql } from "kysely";
import { createGrants } from "../../shared/access/grant.schema.ts";
import type { Db } from "../../shared/database/open.ts";
import type { OperationRow } from "../../shared/database/schema.ts";
import { discardDraft } from "../../shared/drafts/draft.schema.ts";
import type { ObjectRef } from "../../shared/kernel/object-ref.ts";
import { keyOf } from "./base.repository.ts";
import type { Clocks } from "./clocks.ts";

export type Operation = Selectable<OperationRow>;

const deliveredLifeMicros = 30 * 86_400 * 1_000_000;

/** Finds an operation by the id under which it is sent. */
export const findByWireId = (db: Db, wireId: string): Promise<Operation | undefined> =>
  db.selectFrom("operation").selectAll().where("wire_id", "=", wireId).executeTakeFirst();

export const insertOperation = (db: Db, row: Insertable<OperationRow>) =>
  db.insertInto("operation").values(row).execute();

export const findOperation = (db: Db, id: string): Promise<Operation | undefined> =>
  db.selectFrom("operation").selectAll().where("id", "=", id).executeTakeFirst();

const all = (db: Db) => db.selectFrom("operation").selectAll().orderBy("position");

/** Unsent operations in the order in which the user made them. */
export const listUnsent = (db: Db) => all(db).where("state", "in", ["pending", "sending"]).execute();

/** Unsent operations on one draft. */
export const listUnsentOn = (db: Db, draftId: string) =>
  all(db)
    .where("object_kind", "=", "draft")
    .where("object_id", "=", draftId)
    .where("state", "in", ["pending", "sending"])
    .execute();

/** Decisions on these objects that the feed has not confirmed. */
export const listUnconfirmedDecisions = (db: Db, objectIds: readonly string[]) =>
  all(db)
    .where("delivery", "=", "ask")
    .where("object_id", "in", objectIds)
    .where("state", "in", ["pending", "sending", "applied"])
    .execute();

/** Unsent and rejected operations, which decide the order of sending. */
export const listOpen = (db: Db) => all(db).where("state", "in", ["pending", "sending", "rejected"]).execute();

/** All operations that the feed has not confirmed. */
export const listUnconfirmed = (db: Db) =>
  all(db).where("state", "in", ["pending", "sending", "applied", "rejected"]).execute();

/** The overlay of an object: unsent operations, and applied ones that the feed has not confirmed yet. */
export const listOverlay = (db: Db, ref: ObjectRef) =>
  all(db)
    .where("aggregate_kind", "=", ref.kind)
    .where("aggregate_id", "=", ref.id)
    .where("state", "in", ["pending", "sending", "applied"])
    .execute();

/** Objects of which the user discarded a draft here, unconfirmed by the feed, by `keyOf`. */
export async function listDiscarded(db: Db): Promise<Set<string>> {
  const { rows } = await sql<ObjectRef>`select aggregate_kind as kind, aggregate_id as id from operation
    where kind = ${discardDraft.name} and state in ('pending', 'sending', 'applied')`.execute(db);
  return new Set(rows.map(keyOf));
}

const isOf = (refs: readonly ObjectRef[]) => sql<boolean>`(aggregate_kind, aggregate_id) in (
  select value ->> 'kind', value ->> 'id' from json_each(${JSON.stringify(refs)}))`;

/** Which of these objects have an overlay, by `keyOf`. */
export async function listOverlaid(db: Db, refs: readonly ObjectRef[]): Promise<Set<string>> {
  const { rows } = await sql<ObjectRef>`select distinct aggregate_kind as kind, aggregate_id as id from operation
    where ${isOf(refs)} and state in ('pending', 'sending', 'applied')`.execute(db);
  return new Set(rows.map(keyOf));
}

/** A pending operation and the later ones of its delivery kind on the same object. */
export const listWaitingFrom = (db: Db, { position, object_kind, object_id, delivery }: Operation) =>
  all(db)
    .where("object_kind", "=", object_kind)
    .where("object_id", "=", object_id)
    .where("position", ">=", position)
    .where("delivery", "=", delivery)
    .where("state", "in", ["pending", "rejected"])
    .execute();

const pendingOn = (db: Db, kind: string, { kind: objectKind, id }: { kind: string; id: string }) =>
  all(db)
    .where("kind", "=", kind)
    .where("object_kind", "=", objectKind)
    .where("object_id", "=", id)
    .where("state", "=", "pending");

/** A pending operation of one kind on an object, never sent yet. */
export const findUntried = (db: Db, kind: string, object: { kind: string; id: string }) =>
  pendingOn(db, kind, object).where("attempts", "=", 0).executeTakeFirst();

/** A pending operation of one kind on an object that was never sent to a non-Carrel server. */
export const findWithoutAttempt = (db: Db, kind: string, object: { kind: string; id: string }) =>
  pendingOn(db, kind, object)
    .where(sql<boolean>`wire_id not in (select operation_id from upstream_attempt)`)
    .executeTakeFirst();

/** Unsent operations of these kinds on objects with these ids. No page has named them. */
export const listUnsentCreations = (db: Db, kinds: readonly string[], ids: readonly string[]) => {
  const named = sql<string>`(select value from json_each(${JSON.stringify(ids)}))`;
  return all(db)
    .where("kind", "in", kinds)
    .where("state", "in", ["pending", "sending"])
    .where((where) => where.or([where("object_id", "in", named), where("aggregate_id", "in", named)]))
    .execute();
};

/** Whether a reply to a comment is unsent or rejected. */
export async function hasOpenReply(db: Db, commentId: string): Promise<boolean> {
  const reply = await all(db)
    .where("kind", "=", "comment.create")
    .where("state", "in", ["pending", "sending", "rejected"])
    .where(sql`payload ->> 'parentId'`, "=", commentId)
    .executeTakeFirst();
  return reply !== undefined;
}

/** The id of the last unconfirmed decision on an object, if it is the same decision. */
export async function findSameDecision(db: Db, { kind, object, input }: Decided): Promise<string | undefined> {
  const last = await db
    .selectFrom("operation")
    .select(["id", "kind", "payload", "state"])
    .where("object_kind", "=", object.kind)
    .where("object_id", "=", object.id)
    .where("delivery", "=", "ask")
    .orderBy("position", "desc")
    .executeTakeFirst();
  if (!last || last.kind !== kind) return undefined;
  if (input === undefined) return ["pending", "sending"].includes(last.state) ? last.id : undefined;
  const isSame = comparable(last.payload) === comparable(JSON.stringify(input));
  return ["pending", "sending", "applied"].includes(last.state) && isSame ? last.id : undefined;
}

/** @property input if absent, an earlier operation counts whatever its input */
interface Decided {
  kind: string;
  object: { kind: string; id: string };
  input?: unknown;
}

/** A payload without the ids that each call generates. */
const comparable = (payload: string): string =>
  JSON.stringify(JSON.parse(payload, (key, value) => (key === "logId" || key === "commentId" ? undefined : value)));

/** One call may create several grants. Its operation names the first and counts for all of them. */
const makesGrant = (id: string) => sql<boolean>`kind = ${createGrants.name} and exists
  (select 1 from json_each(payload, '$.grants') where value ->> 'id' = ${id})`;

export const listMarks = (db: Db, ref: { kind: string; id: string }) =>
  all(db)
    .where("object_kind", "=", ref.kind)
    .where(({ or, eb }) =>
      or([eb("object_id", "=", ref.id), ...(ref.kind === "access-grant" ? [makesGrant(ref.id)] : [])]),
    )
    .where((where) =>
      where.or([
        where("state", "in", ["pending", "sending", "rejected"]),
        // Applied on the server, but the user still sees the old state until the feed shows the new one.
        where.and([where("state", "=", "applied"), where("delivery", "=", "ask")]),
      ]),
    )
    .execute();

/** Whether an object has an overlay. */
export async function hasOperation(db: Db, objectId: string): Promise<boolean> {
  const row = await db
    .selectFrom("operation")
    .select("id")
    .where("object_id", "=", objectId)
    .where("state", "in", ["pending", "sending", "applied"])
    .executeTakeFirst();
  return row !== undefined;
}

/** Rejected operations, also while they are retried. */
export const listRefused = (db: Db) =>
  all(db).where("refused", "is not", null).where("state", "in", ["pending", "sending", "rejected"]).execute();

/** Applied operations that the feed has confirmed up to this position. */
export const listConfirmed = (db: Db, seq: number) =>
  all(db).where("state", "=", "applied").where("applied_seq", "<=", seq).execute();

export const listObjectsWithOverlay = (db: Db) =>
  db
    .selectFrom("operation")
    .select(["aggregate_kind", "aggregate_id"])
    .distinct()
    .where("state", "in", ["pending", "sending", "applied"])
    .execute();

export const updateOperation = (db: Db, id: string, change: Partial<Insertable<OperationRow>>) =>
  db.updateTable("operation").set(change).where("id", "=", id).execute();

/** Unsent and rejected operations that need blobs. */
export const listOpenWithBlobs = (db: Db) =>
  all(db).where("state", "in", ["pending", "sending", "rejected"]).where("blobs", "!=", "[]").execute();

/** Resets `sending` after a start, when no call is under way. */
export const endAllSending = (db: Db) =>
  db.updateTable("operation").set({ state: "pending" }).where("state", "=", "sending").execute();

/**
 * Marks an operation as applied by its wire id. A copy of this folder may have sent it too; nobody else knows that id.
 */
export const markApplied = (db: Db, wireId: string, seq: number) =>
  db
    .updateTable("operation")
    .set({ state: "applied", applied_seq: seq })
    .where("wire_id", "=", wireId)
    .where("state", "!=", "delivered")
    .execute();

/**
 * Keeps confirmed operations for 30 days, in case the server loses them. Both clocks must agree on the age, because one
 * may be wrong or jump.
 */
export async function markDelivered(db: Db, ids: string[], now: Clocks): Promise<void> {
  const done = {
    state: "delivered",
    delivered: now.server,
    delivered_here: now.here,
    refused: null,
    reason: null,
    server: null,
    snapshot: null,
  } as const;
  await db.updateTable("operation").set(done).where("id", "in", ids).execute();
  await db
    .deleteFrom("operation")
    .where("state", "=", "delivered")
    .where("delivered", "<", now.server - deliveredLifeMicros)
    .where("delivered_here", "<", now.here - deliveredLifeMicros)
    .execute();
}

/**
 * The server was restored: all applied and delivered operations are unsent again, keeping their number of attempts and
 * when they were delivered. Pending operations count as delivered too, because they may need what the server lost.
 */
export async function reviveDelivered(db: Db): Promise<void> {
  const live = db.updateTable("operation").where("state", "!=", "rejected");
  await live.set(({ fn }) => ({ delivered: fn.coalesce("delivered", "created") })).execute();
  const sent = live.where("state", "in", ["applied", "delivered"]);
  await sent.set({ state: "pending", applied_seq: null, reason: null }).execute();
}

/** Last delivered operations, newest first. Saves of one object count as one. @param most how many objects. */
export async function listDone(db: Db, most: number) {
  const { rows } = await sql<Operation & { times: number; last: number }>`
    select *, max(delivered) as last, count(*) as times from operation where state = 'delivered'
    group by kind, object_kind, object_id order by last desc, position desc limit ${most}`.execute(db);
  return rows;
}

export const deleteOperations = (db: Db, ids: string[]) => db.deleteFrom("operation").where("id", "in", ids).execute();

/** Whether an applied operation is not confirmed by the feed up to this position. */
export async function hasUnconfirmed(db: Db, seq: number): Promise<boolean> {
  const applied = db.selectFrom("operation").select("id").where("state", "=", "applied");
  return (await applied.where("applied_seq", ">", seq).executeTakeFirst()) !== undefined;
}

export async function countByState(db: Db): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom("operation")
    .select((expression) => ["state", expression.fn.countAll<number>().as("count")])
    .groupBy("state")
    .execute();
  return Object.fromEntries(rows.map((row) => [row.state, row.count]));
}

export async function countUnsent(db: Db): Promise<number> {
  const row = await db
    .selectFrom("operation")
    .select((expression) => expression.fn.countAll<number>().as("count"))
    .where("state", "in", ["pending", "sending", "rejected"])
    .executeTakeFirst();
  return row?.count ?? 0;
}

export const deleteAllOperations = (db: Db) => db.deleteFrom("operation").execute();

export const listObjectsWithOperations = (db: Db) =>
  db.selectFrom("operation").select(["aggregate_kind", "aggregate_id"]).distinct().execute();
