import { sql } from "kysely";
import type { Db } from "../../../../shared/database/open.ts";
import type { UpstreamAttemptRow, UpstreamIdRow } from "../../../../shared/database/schema.ts";
import { createDraft, discardDraft, editDraft, newVersion } from "../../../../shared/drafts/draft.schema.ts";

export const findAttempt = (db: Db, operationId: string): Promise<UpstreamAttemptRow | undefined> =>
  db.selectFrom("upstream_attempt").selectAll().where("operation_id", "=", operationId).executeTakeFirst();

export const upsertAttempt = (db: Db, row: UpstreamAttemptRow) => {
  const { operation_id: _, ...rest } = row;
  return db
    .insertInto("upstream_attempt")
    .values(row)
    .onConflict((conflict) => conflict.column("operation_id").doUpdateSet(rest))
    .execute();
};

export const deleteAttempt = (db: Db, operationId: string) =>
  db.deleteFrom("upstream_attempt").where("operation_id", "=", operationId).execute();

/** Deletes what the outbox does not need any more. */
export const deleteSettled = (db: Db) =>
  db
    .deleteFrom("upstream_attempt")
    .where("state", "=", "done")
    .where(sql<boolean>`operation_id not in (select wire_id from operation where state in ('pending', 'sending'))`)
    .execute();

/**
 * Position of the first effect that the outbox or the pages do not include yet. Pages end before it; otherwise the user's
 * new objects would appear twice. An object has one position, so a later effect may have replaced an earlier position.
 */
export async function firstUnsettled(db: Db): Promise<number | undefined> {
  const unstored = await db
    .selectFrom("upstream_attempt")
    .innerJoin("operation", "operation.wire_id", "upstream_attempt.operation_id")
    .select((expression) => expression.fn.min<number | null>("upstream_attempt.seq").as("seq"))
    .where("upstream_attempt.state", "=", "done")
    .where("operation.state", "in", ["pending", "sending"])
    .executeTakeFirst();
  if (unstored?.seq == null) return undefined;
  const unshown = await db
    .selectFrom("operation")
    .select((expression) => expression.fn.min<number | null>("applied_seq").as("seq"))
    .where("state", "=", "applied")
    .executeTakeFirst();
  return Math.min(unstored.seq, unshown?.seq ?? Number.POSITIVE_INFINITY);
}

/** Unsent operations of a kind for which no call was made. */
export const listUntriedOf = (db: Db, kind: string) =>
  db
    .selectFrom("operation")
    .leftJoin("upstream_attempt", "upstream_attempt.operation_id", "operation.wire_id")
    .select(["operation.wire_id", "operation.object_id"])
    .where("operation.kind", "=", kind)
    .where("operation.state", "in", ["pending", "sending"])
    .where("upstream_attempt.operation_id", "is", null)
    .execute();

/** Drafts whose publication was sent and had no answer. */
export async function listUnsure(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom("upstream_attempt")
    .innerJoin("operation", "operation.wire_id", "upstream_attempt.operation_id")
    .select(["operation.object_id", "upstream_attempt.known"])
    .where("upstream_attempt.step", "=", "publish")
    .where("upstream_attempt.state", "=", "sent")
    .where("operation.state", "in", ["pending", "sending"])
    .execute();
  return rows.filter(({ known }) => JSON.parse(known).isUnanswered).map(({ object_id }) => object_id);
}

/** The position of the newest operation that was ever made here. */
export async function newestOperation(db: Db): Promise<number> {
  const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = 'operation'`.execute(db);
  return rows[0]?.seq ?? 0;
}

/** Whether the user sends an operation again that was refused once. It has a new wire id then. */
export const isSentAgain = async (db: Db, operationId: string): Promise<boolean> => {
  const row = await db.selectFrom("operation").select("refused").where("wire_id", "=", operationId).executeTakeFirst();
  return (row?.refused ?? null) !== null;
};

/** Whether an operation waits to be sent, or for its answer. */
export const isUnsent = async (db: Db, operationId: string): Promise<boolean> => {
  const row = await db
    .selectFrom("operation")
    .select("id")
    .where("wire_id", "=", operationId)
    .where("state", "in", ["pending", "sending"])
    .executeTakeFirst();
  return row !== undefined;
};

/** When an operation was made here: its place among the others, and the time by this computer's clock. */
export const findMoment = async (db: Db, operationId: string): Promise<{ position: number; created: number }> => {
  const row = await db
    .selectFrom("operation")
    .select(["position", "created"])
    .where("wire_id", "=", operationId)
    .executeTakeFirst();
  return row ?? { position: 0, created: 0 };
};

/** The server's ids of drafts of which only the first call is known to be done. */
export async function listBegun(db: Db): Promise<Set<string>> {
  const rows = await db
    .selectFrom("upstream_attempt")
    .select("known")
    .where("step", "=", "create")
    .where("state", "=", "made")
    .execute();
  return new Set(rows.map(({ known }) => JSON.parse(known).id));
}

/** The object as the user saw it when they made an operation. */
export async function findSeen(db: Db, operationId: string): Promise<string | undefined> {
  const row = await db.selectFrom("operation").select("snapshot").where("wire_id", "=", operationId).executeTakeFirst();
  return row?.snapshot ?? undefined;
}

/**
 * Whether the server lacks changes to the content or files of a draft. A refused change is one, until the user decides.
 * @param before only changes that the user made before this operation
 */
export async function hasOpenChanges(db: Db, draftId: string, before?: string): Promise<boolean> {
  const earlier = sql<boolean>`position < (select position from operation where wire_id = ${before ?? ""})`;
  const row = await db
    .selectFrom("operation")
    .select("id")
    .where("object_kind", "=", "draft")
    .where("object_id", "=", draftId)
    .where("state", "in", ["pending", "sending", "rejected"])
    .where(sql<boolean>`(kind = ${editDraft.name} or kind like 'file.%' or kind like 'files.%')`)
    // The outbox may not have the outcome yet.
    .where(sql<boolean>`wire_id not in (select operation_id from upstream_attempt where state = 'done')`)
    .where(before === undefined ? sql<boolean>`true` : earlier)
    .executeTakeFirst();
  return row !== undefined;
}

/** The server's id of a draft that an operation made. */
export async function findMade(db: Db, operationId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("upstream_id")
    .select("remote_id")
    .where("operation_id", "=", operationId)
    .where("kind", "=", "record")
    .executeTakeFirst();
  return row?.remote_id;
}

/** Discards of a draft that were not sent yet. */
async function listDiscards(db: Db, draftId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("operation")
    .select("wire_id")
    .where("kind", "=", discardDraft.name)
    .where("object_id", "=", draftId)
    .where("state", "in", ["pending", "sending"])
    .execute();
  return rows.map(({ wire_id }) => wire_id);
}

export const hasDiscards = async (db: Db, draftId: string): Promise<boolean> =>
  (await listDiscards(db, draftId)).length > 0;

export interface LateBytes {
  /** The time by the server's clock, if it has said it. */
  thereMs: number | undefined;
  /** How long a call without an answer may still bring bytes. */
  lateMs: number;
}

/**
 * Notes that bytes may arrive late. They would destroy the completed file (F10), so its operation waits until then, and
 * looks again.
 */
export const noteLateBytes = (db: Db, operation_id: string, now: number, late: LateBytes) =>
  upsertAttempt(db, {
    ...{ operation_id, step: "late-bytes", state: "made", sent: now, seq: null, looks: 0 },
    known: JSON.stringify(late),
    next_look: now + late.lateMs * 1000,
  });

/** How long bytes may still arrive by the server's clock, in microseconds. The clock of this computer may jump. */
export function lateLeft({ known }: Pick<UpstreamAttemptRow, "known">, thereMs: number | undefined): number {
  const { thereMs: sent, lateMs } = JSON.parse(known) as LateBytes;
  if (sent === undefined || thereMs === undefined || thereMs < sent) return 0;
  return Math.max(0, (lateMs - (thereMs - sent)) * 1000);
}

/** Notes for the waiting discards of a draft that it was changed since the user wanted them. */
export async function noteUnseenChange(db: Db, draftId: string, now: number): Promise<void> {
  const row = {
    step: "changed-since",
    state: "made",
    sent: now,
    known: "{}",
    seq: null,
    looks: 0,
    next_look: now,
  } as const;
  for (const operation_id of await listDiscards(db, draftId)) await upsertAttempt(db, { ...row, operation_id });
}

/** The server's id of a draft that got another id here first. */
export async function findTheirId(db: Db, localId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("upstream_id")
    .select("remote_id")
    .where("kind", "=", "record")
    .where("local_id", "=", localId)
    .executeTakeFirst();
  return row?.remote_id;
}

/** Whether the server has yet to create a draft, or has refused to. */
export async function isCreationOpen(db: Db, localId: string): Promise<boolean> {
  const row = await db
    .selectFrom("operation")
    .select("id")
    .where("kind", "in", [createDraft.name, newVersion.name])
    .where("object_id", "=", localId)
    .where("state", "in", ["pending", "sending", "rejected"])
    .executeTakeFirst();
  return row !== undefined;
}

/** The id that an object had here, if an operation made it. */
export async function findLocalId(db: Db, kind: UpstreamIdRow["kind"], remoteId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("upstream_id")
    .select("local_id")
    .where("kind", "=", kind)
    .where("remote_id", "=", remoteId)
    .executeTakeFirst();
  return row?.local_id;
}

export const insertId = (db: Db, row: UpstreamIdRow) =>
  db
    .insertInto("upstream_id")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
