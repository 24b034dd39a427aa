import { createComment } from "../../shared/comments/comment.schema.ts";
import { type Db, type Tx, transaction } from "../../shared/database/open.ts";
import { discardDraft } from "../../shared/drafts/draft.schema.ts";
import type { Caller } from "../../shared/kernel/caller.ts";
import { Failure, forbidden, unknownPid } from "../../shared/kernel/failure.ts";
import type { CommandHandler, Host, ObjectRef } from "../../shared/kernel/host.ts";
import type { Refusal } from "../../shared/sync-protocol/push.schema.ts";
import { listHiddenRequests } from "./base.repository.ts";
import { isGone } from "./gone.repository.ts";
import { deleteOperations, listOverlay, listUnsent, type Operation, updateOperation } from "./operation.repository.ts";
import { rebase } from "./rebase.ts";
import { remap, takenIds } from "./remap.ts";
import { takeSnapshot } from "./snapshot.ts";
import { refusalOf } from "./transport.ts";
import type { Settled } from "./waiters.ts";

export interface RefusalOptions {
  host: Host;
  handlers: Map<string, CommandHandler>;
  callerIn(db: Db): Promise<Caller>;
  project(tx: Tx, touched: ObjectRef[]): Promise<void>;
  /** Takes the outcome of an operation that a call waits for; true when one did. */
  onSettled(id: string, settled: Settled): boolean;
  onChanged(refs: ObjectRef[]): void;
}

/** Refusals after which nothing else on the object can be sent either. */
const lost = new Set([403, 404, 410]);

export const aggregateOf = (operation: Operation): ObjectRef =>
  ({ kind: operation.aggregate_kind, id: operation.aggregate_id }) as ObjectRef;

/** What a caller is told, for a person who is not one: she worked on something that was here then. */
const inWords = new Map([
  [forbidden().message, "You no longer have access to it."],
  [unknownPid().message, "It was deleted or discarded elsewhere."],
]);

/** A comment that its author has deleted herself: there is nothing left to keep. */
const wasDeleted = ({ kind, payload }: Operation): boolean =>
  kind === createComment.name && JSON.parse(payload).deleted === true;

/**
 * Work that arrived once, on what was deleted afterwards, and is sent again because the server was restored: nothing of it is
 * here to be kept, nothing is to be told. It stays as delivered, in case the server is restored to a moment that has it.
 * @param snapshot what is kept of it.
 * @returns whether it was that.
 */
export async function endWithDeleted(tx: Tx, operation: Operation, snapshot: string | null): Promise<boolean> {
  const isOver = snapshot === null && operation.refused === null && (await isGone(tx, operation.object_id));
  if (isOver) await updateOperation(tx, operation.id, { state: "delivered", delivered: operation.created });
  return isOver;
}

/** The bytes that an operation needs. */
export const blobsOf = (operation: Operation): { sha256: string; size: number }[] => JSON.parse(operation.blobs);

async function rebaseAll({ callerIn, handlers }: RefusalOptions, tx: Tx, refs: ObjectRef[]): Promise<ObjectRef[]> {
  const caller = await callerIn(tx);
  const touched: ObjectRef[] = [];
  for (const ref of refs) touched.push(...(await rebase({ tx, caller, handlers }, ref)));
  return touched;
}

/**
 * Takes an operation to the tray, or gives its refusal to the call that waits for it.
 * @returns what was touched by taking its effect back here.
 */
export async function refuse(
  options: RefusalOptions,
  tx: Tx,
  operation: Operation,
  refusal: Refusal,
  server?: unknown,
): Promise<ObjectRef[]> {
  const taken = takenIds(operation, refusal);
  if (taken.length > 0) return rebaseAll(options, tx, await remap(options.host, tx, operation, taken));
  const error = refusalOf({ status: refusal.status, body: refusal });
  const isHeard = options.onSettled(operation.id, { state: "refused", error });
  const snapshot = await takeSnapshot(tx, operation);
  if (isHeard || wasDeleted(operation)) await deleteOperations(tx, [operation.id]);
  else if (!(lost.has(refusal.status) && (await endWithDeleted(tx, operation, snapshot)))) {
    // Before the effect is taken back here, also for what will be refused with it.
    for (const other of await listOverlay(tx, aggregateOf(operation)))
      if (lost.has(refusal.status)) await updateOperation(tx, other.id, { snapshot: await takeSnapshot(tx, other) });
    const change = {
      reason: inWords.get(refusal.message) ?? (error instanceof Failure ? error.inWords() : error.message),
      refused: options.host.now(),
      server: JSON.stringify(server ?? refusal),
      snapshot,
    };
    await updateOperation(tx, operation.id, { state: "rejected", ...change });
  }
  const ref = aggregateOf(operation);
  const hidden = operation.kind === discardDraft.name ? await listHiddenRequests(tx, ref.id) : [];
  return rebaseAll(options, tx, [...hidden, ref]);
}

/** Refuses whatever needs bytes that will never arrive. */
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
