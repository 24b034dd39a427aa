import { sql } from "kysely";
import { deleteObject, replaceObject } from "../../shared/bundles/bundle.repository.ts";
import type { Tx } from "../../shared/database/open.ts";
import type { Caller } from "../../shared/kernel/caller.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import type { CommandHandler, ObjectRef } from "../../shared/kernel/host.ts";
import { type Replay, requestContext } from "../../shared/kernel/request-context.ts";
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
 * Executes one operation over what is there; a refusal leaves nothing of it behind (the server has the say).
 * @returns what it touched; undefined where it does not fit any more.
 */
async function replay(options: RebaseOptions, operation: Operation): Promise<ObjectRef[] | undefined> {
  const { tx, caller, handlers } = options;
  const handler = handlers.get(operation.kind);
  if (!handler || operation.delivery === "ask") return [];
  const context: Replay = { kind: "replay", tx, now: operation.created, touched: [] };
  await sql`savepoint replay`.execute(tx);
  try {
    await requestContext.run(context, () => handler.execute(caller, JSON.parse(operation.payload)));
    await sql`release replay`.execute(tx);
    return context.touched;
  } catch (error) {
    await sql`rollback to replay`.execute(tx);
    await sql`release replay`.execute(tx);
    if (!(error instanceof Failure)) throw error;
    return undefined;
  }
}

/** What is unsent of the work on a draft that does not fit any more, and of which nothing is kept yet. */
const isToBeKept = ({ object_kind, state, snapshot }: Operation): boolean =>
  object_kind === "draft" && state !== "applied" && snapshot === null;

/** @returns what was touched, and the work of which the person would see nothing any more. */
async function putBack(options: RebaseOptions, ref: ObjectRef, overlay: Operation[]) {
  const base = await findBase(options.tx, ref);
  if (base) await replaceObject(options.tx, base);
  else if (base === undefined) await deleteObject(options.tx, ref);
  const touched: ObjectRef[] = [ref];
  const vanishing: Operation[] = [];
  for (const operation of overlay) {
    const refs = await replay(options, operation);
    if (refs) touched.push(...refs);
    else if (isToBeKept(operation)) vanishing.push(operation);
  }
  return { touched, vanishing };
}

/**
 * Brings an object to "what the server last said, and over it what the person did since": the confirmed rows are put
 * back and the unconfirmed operations are executed again in their order, all in the caller's transaction. Of work on a
 * draft that does not fit any more (the draft was discarded elsewhere, or may only be viewed now) what the person saw is
 * kept first: the server will refuse it, and it can become a new draft then.
 * @returns every object that this touched, for the projections.
 */
export async function rebase(options: RebaseOptions, ref: ObjectRef): Promise<ObjectRef[]> {
  const { tx } = options;
  const overlay = await listOverlay(tx, ref);
  await sql`savepoint seen`.execute(tx);
  const first = await putBack(options, ref, overlay);
  let { touched } = first;
  if (first.vanishing.length > 0) {
    await sql`rollback to seen`.execute(tx);
    for (const operation of first.vanishing)
      await updateOperation(tx, operation.id, { snapshot: await takeSnapshot(tx, operation) });
    ({ touched } = await putBack(options, ref, overlay));
  }
  await sql`release seen`.execute(tx);
  return [...new Map(touched.map((one) => [`${one.kind}:${one.id}`, one])).values()];
}

/** Rebases every object with unconfirmed work: when the person of the data folder becomes known. */
export async function rebaseEverything(tx: Tx, handlers: Map<string, CommandHandler>): Promise<ObjectRef[]> {
  const caller = await personIn(tx);
  const touched: ObjectRef[] = [];
  for (const { aggregate_kind, aggregate_id } of await listObjectsWithOverlay(tx)) {
    const ref = { kind: aggregate_kind, id: aggregate_id } as ObjectRef;
    touched.push(...(await rebase({ tx, caller, handlers }, ref)));
  }
  return touched;
}
