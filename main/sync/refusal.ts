import { createComment } from "../../shared/comments/comment.schema.ts";
import { type Db, type Tx, transaction } from "../../shared/database/open.ts";
import { discardDraft } from "../../shared/drafts/draft.schema.ts";
import { commitFile } from "../../shared/files/file.schema.ts";
import type { Caller } from "../../shared/kernel/caller.ts";
import { Failure, forbidden, notFound, recordDeleted, unknownPid } from "../../shared/kernel/failure.ts";
import type { CommandHandler, Host } from "../../shared/kernel/host.ts";
import type { ObjectRef } from "../../shared/kernel/object-ref.ts";
import type { Refusal } from "../../shared/sync-protocol/push.schema.ts";
import { isOfRefusedFile } from "./announced-files.repository.ts";
import { listHiddenRequests } from "./base.repository.ts";
import { isDeleted } from "./deleted.repository.ts";
import { endDone } from "./done-elsewhere.repository.ts";
import { isDone } from "./done-elsewhere.ts";
import { goneReasons, lostReason } from "./gone-reasons.ts";
import { waitForOthers } from "./lost-work.repository.ts";
import { deleteOperations, listOverlay, listUnsent, type Operation, updateOperation } from "./operation.repository.ts";
import type { Outcome } from "./outcome-waiters.ts";
import { rebase } from "./rebase.ts";
import { remap, takenIds } from "./remap.ts";
import { takeSnapshot } from "./snapshot.ts";
import { refusalOf } from "./transport.ts";

export interface RefusalOptions {
  host: Host;
  handlers: Map<string, CommandHandler>;
  callerIn(db: Db): Promise<Caller>;
  project(tx: Tx, touched: ObjectRef[]): Promise<void>;
  /** Hands the outcome to a call that waits for it. @returns whether one did. */
  onOutcome(id: string, outcome: Outcome): boolean;
  onChanged(refs: ObjectRef[]): void;
  /** How often each operation got new ids, by operation id. */
  rekeyCounts: Map<string, number>;
}

/** Refusals after which no other operation on the object can succeed. */
const finalStatuses = new Set([403, 404, 410]);

export const aggregateOf = (operation: Operation): ObjectRef =>
  ({ kind: operation.aggregate_kind, id: operation.aggregate_id }) as ObjectRef;

/** What the user could do when they did it here. The object may still be here, to read. */
const userMessages = new Map<string, string>([
  [forbidden().message, "You no longer have the right to do this."],
  [unknownPid().message, goneReasons.deleted],
  [notFound().message, goneReasons.deleted],
  [recordDeleted().message, "The record was deleted."],
]);

/** A comment that its author has deleted: there is nothing left to keep. */
const isDeletedComment = ({ kind, payload }: Operation): boolean =>
  kind === createComment.name && JSON.parse(payload).deleted === true;

/**
 * Handles an operation that was delivered once, whose object was deleted later, and that is sent again because the
 * server was restored. It stays delivered, in case the server is restored to a state that has the object. A discard is
 * sent again if its author sends the draft again.
 * @param snapshot the operation's snapshot, if any.
 * @returns whether it was such an operation.
 */
export async function endWithDeleted(tx: Tx, operation: Operation, snapshot: string | null): Promise<boolean> {
  const isOver = snapshot === null && operation.refused === null && (await isDeleted(tx, operation.object_id));
  const delivered = operation.created;
  if (isOver && operation.kind === discardDraft.name) await waitForOthers(tx, operation);
  else if (isOver)
    await updateOperation(tx, operation.id, { state: "delivered", delivered, delivered_here: delivered });
  return isOver;
}

/**
 * Handles the refusal of an operation on a file whose announcement was refused: the user decides about that one, and this
 * one waits. The server keeps a refusal under its id, so it gets a new one.
 * @param snapshot the operation's snapshot, if any.
 * @returns whether it was such an operation.
 */
export async function waitWithFile(
  host: Host,
  tx: Tx,
  operation: Operation,
  snapshot: string | null,
): Promise<boolean> {
  const waits = await isOfRefusedFile(tx, operation);
  if (waits) await updateOperation(tx, operation.id, { state: "pending", wire_id: host.newUuid(), snapshot });
  return waits;
}

/** Whether the server had an operation once. Those that were unsent when it was restored have only `delivered`. */
export const wasDelivered = ({ delivered_here }: Operation): boolean => delivered_here !== null;

/**
 * Whether the user has nothing to decide about a refusal: what the operation changes may come later, or its file was
 * delivered once and removed by another user since.
 */
async function hasNothingToDecide(tx: Tx, operation: Operation, refusal: Refusal): Promise<boolean> {
  if (refusal.awaits === true) return operation.delivery === "queue";
  const isWithoutFile = refusal.status === 404 && refusal.message !== unknownPid().message;
  const wasComplete = operation.kind === commitFile.name && wasDelivered(operation);
  return isWithoutFile && wasComplete && !(await isOfRefusedFile(tx, operation));
}

/** The blobs that an operation needs. */
export const blobsOf = (operation: Operation): { sha256: string; size: number }[] => JSON.parse(operation.blobs);

/** Rebases objects. @returns all that were touched. */
export async function rebaseAll(
  { callerIn, handlers }: RefusalOptions,
  tx: Tx,
  refs: ObjectRef[],
): Promise<ObjectRef[]> {
  const caller = await callerIn(tx);
  const touched: ObjectRef[] = [];
  for (const ref of refs) touched.push(...(await rebase({ tx, caller, handlers }, ref)));
  return touched;
}

/**
 * Rejects an operation, or hands the refusal to the call that waits for it.
 * @returns the objects that were touched by undoing its effect.
 */
export async function refuse(
  options: RefusalOptions,
  tx: Tx,
  operation: Operation,
  refusal: Refusal,
  server?: unknown,
): Promise<ObjectRef[]> {
  const taken = takenIds(operation, refusal, options.rekeyCounts);
  if (taken.length > 0) return rebaseAll(options, tx, await remap(options.host, tx, operation, taken));
  const error = refusalOf({ status: refusal.status, body: refusal });
  const hasWaiter = options.onOutcome(operation.id, { state: "refused", error });
  const snapshot = await takeSnapshot(tx, operation);
  const isFinal = finalStatuses.has(refusal.status);
  if (hasWaiter || isDeletedComment(operation)) await deleteOperations(tx, [operation.id]);
  else if (await isDone(tx, operation, refusal)) await endDone(tx, operation);
  else if (await hasNothingToDecide(tx, operation, refusal)) await waitForOthers(tx, operation);
  else if (
    !(await waitWithFile(options.host, tx, operation, snapshot)) &&
    !(isFinal && (await endWithDeleted(tx, operation, snapshot)))
  ) {
    // Stores snapshots before the effect is undone, also for operations that will be refused next.
    for (const other of await listOverlay(tx, aggregateOf(operation)))
      if (isFinal) await updateOperation(tx, other.id, { snapshot: await takeSnapshot(tx, other) });
    // Nobody else can send bytes that are gone. An undelivered operation is retried only if the server lost something
    // that it needs.
    const mayGoLater = refusal.status !== 410 && (isFinal || wasDelivered(operation));
    const delivered = mayGoLater ? operation.delivered : null;
    const why = userMessages.get(refusal.message) ?? (error instanceof Failure ? error.describe() : error.message);
    const change = {
      reason: isFinal && delivered !== null ? lostReason : why,
      refused: options.host.now(),
      server: JSON.stringify(server ?? refusal),
      ...{ snapshot, delivered },
    };
    await updateOperation(tx, operation.id, { state: "rejected", ...change });
  }
  const ref = aggregateOf(operation);
  const hidden = operation.kind === discardDraft.name ? await listHiddenRequests(tx, ref.id) : [];
  return rebaseAll(options, tx, [...hidden, ref]);
}

/** Rejects operations whose blobs will never arrive. */
export async function refuseWithout(options: RefusalOptions, sha256: string, failure: Failure): Promise<void> {
  const refusal = { ...failure.toBody(), status: failure.status, message: failure.message };
  const touched = await transaction(options.host.db, async (tx) => {
    const refs: ObjectRef[] = [];
    for (const operation of await listUnsent(tx)) {
      if (blobsOf(operation).some((blob) => blob.sha256 === sha256)) {
        refs.push(...(await refuse(options, tx, operation, refusal)));
      }
    }
    await options.project(tx, refs);
    return refs;
  });
  options.onChanged(touched);
}
