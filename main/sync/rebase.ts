import { sql } from "kysely";
import { deleteObject, replaceObject } from "../../shared/bundles/bundle.repository.ts";
import type { Tx } from "../../shared/database/open.ts";
import { isTakenKey } from "../../shared/database/taken-key.ts";
import type { Replay } from "../../shared/kernel/call.ts";
import type { Caller } from "../../shared/kernel/caller.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import type { CommandHandler } from "../../shared/kernel/host.ts";
import type { ObjectRef } from "../../shared/kernel/object-ref.ts";
import { findBase } from "./base.repository.ts";
import { listObjectsWithOverlay, listOverlay, type Operation, updateOperation } from "./operation.repository.ts";
import { personIn } from "./person.ts";
import { takeSnapshot } from "./snapshot.ts";

export interface RebaseOptions {
  tx: Tx;
  caller: Caller;
  handlers: Map<string, CommandHandler>;
}

/**
 * Executes one operation on the current rows. A refusal rolls it back, since the server decides. So does an id in use:
 * an object that was opened by itself may have the operation's effect before the feed confirms it.
 * @returns the objects that it touched; undefined if it no longer applies.
 */
async function replay(options: RebaseOptions, operation: Operation): Promise<ObjectRef[] | undefined> {
  const { tx, caller, handlers } = options;
  const handler = handlers.get(operation.kind);
  if (!handler || operation.delivery === "ask") return [];
  const origin: Replay = { kind: "replay", tx, now: operation.created, touched: [] };
  await sql`savepoint replay`.execute(tx);
  try {
    await handler.execute({ ...caller, origin }, JSON.parse(operation.payload));
    await sql`release replay`.execute(tx);
    return origin.touched;
  } catch (error) {
    await sql`rollback to replay`.execute(tx);
    await sql`release replay`.execute(tx);
    if (!(error instanceof Failure || isTakenKey(error))) throw error;
    return undefined;
  }
}

/** An unsent operation on a draft that no longer applies and has no snapshot yet. */
const needsSnapshot = ({ object_kind, state, snapshot }: Operation): boolean =>
  object_kind === "draft" && state !== "applied" && snapshot === null;

/** @returns the objects that were touched, and the operations whose effect would disappear. */
async function restoreAndReplay(options: RebaseOptions, ref: ObjectRef, overlay: Operation[]) {
  const base = await findBase(options.tx, ref);
  if (base) await replaceObject(options.tx, base);
  else if (base === undefined) await deleteObject(options.tx, ref);
  const touched: ObjectRef[] = [ref];
  const vanishing: Operation[] = [];
  for (const operation of overlay) {
    const refs = await replay(options, operation);
    if (refs) touched.push(...refs);
    else if (needsSnapshot(operation)) vanishing.push(operation);
  }
  return { touched, vanishing };
}

/**
 * Rebases an object: restores its base and replays the operations of its overlay in order, in the caller's transaction.
 * If an operation on a draft no longer applies, because the draft was discarded or is now read-only, a snapshot is
 * stored first. The server will refuse that operation, and the user can make a new draft from the snapshot.
 * @returns every object that this touched, for the projections.
 */
export async function rebase(options: RebaseOptions, ref: ObjectRef): Promise<ObjectRef[]> {
  const { tx } = options;
  const overlay = await listOverlay(tx, ref);
  await sql`savepoint seen`.execute(tx);
  const first = await restoreAndReplay(options, ref, overlay);
  let { touched } = first;
  if (first.vanishing.length > 0) {
    await sql`rollback to seen`.execute(tx);
    for (const operation of first.vanishing)
      await updateOperation(tx, operation.id, { snapshot: await takeSnapshot(tx, operation) });
    ({ touched } = await restoreAndReplay(options, ref, overlay));
  }
  await sql`release seen`.execute(tx);
  return [...new Map(touched.map((one) => [`${one.kind}:${one.id}`, one])).values()];
}

/** Rebases every object with an overlay, once the user of the data folder is known. */
export async function rebaseEverything(tx: Tx, handlers: Map<string, CommandHandler>): Promise<ObjectRef[]> {
  const caller = await personIn(tx);
  const touched: ObjectRef[] = [];
  for (const { aggregate_kind, aggregate_id } of await listObjectsWithOverlay(tx)) {
    const ref = { kind: aggregate_kind, id: aggregate_id } as ObjectRef;
    touched.push(...(await rebase({ tx, caller, handlers }, ref)));
  }
  return touched;
}
