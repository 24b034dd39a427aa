import { createHash } from "node:crypto";
import { insertRows } from "../../shared/bundles/bundle.repository.ts";
import type { Tx } from "../../shared/database/open.ts";
import type { Host } from "../../shared/kernel/host.ts";
import type { ObjectRef } from "../../shared/kernel/object-ref.ts";
import { recordIdFrom } from "../../shared/kernel/record-id.ts";
import type { Refusal } from "../../shared/sync-protocol/push.schema.ts";
import { takeLeasedId } from "../replica/lease.repository.ts";
import { listUnconfirmed, type Operation, updateOperation } from "./operation.repository.ts";

const mint = (host: Host): string => recordIdFrom(createHash("sha256").update(host.newUuid()).digest().subarray(0, 5));

/** Commands that create a draft under a local id. */
export const creatingCommands = new Set(["draft.create", "draft.new-version"]);

/** Limits the attempts when a server calls every id taken. */
const maxRekeys = 8;

/**
 * Ids of a new draft that the server has given to another object; empty for any other refusal. Only ids that this
 * operation creates: a server cannot rename the user's other work.
 * @param rekeyCounts how often each operation got new ids; updated here
 */
export function takenIds(operation: Operation, refusal: Refusal, rekeyCounts: Map<string, number>): string[] {
  const isTaken = creatingCommands.has(operation.kind) && refusal.status === 409 && Array.isArray(refusal.taken);
  if (!isTaken) return [];
  const serverTaken = new Set<unknown>(refusal.taken as unknown[]);
  const taken = [...new Set([operation.object_id, operation.aggregate_id])].filter((id) => serverTaken.has(id));
  const times = rekeyCounts.get(operation.id) ?? 0;
  if (taken.length === 0 || times >= maxRekeys) return [];
  rekeyCounts.set(operation.id, times + 1);
  return taken;
}

/**
 * Gives objects of this replica other ids, in all operations that the feed has not confirmed. The old ids remain
 * aliases here (hosts-and-sync 3, Ids).
 * @returns the objects to rebase, by old and new ids, and the operations that were rewritten.
 */
export async function rename(
  tx: Tx,
  names: ReadonlyMap<string, string>,
): Promise<{ touched: ObjectRef[]; rewritten: Operation[] }> {
  const newId = (id: string): string => names.get(id) ?? id;
  const rewritten: Operation[] = [];
  const touched = new Map<string, ObjectRef>();
  for (const operation of await listUnconfirmed(tx)) {
    let { payload } = operation;
    for (const [old, id] of names) payload = payload.replaceAll(JSON.stringify(old), JSON.stringify(id));
    const ids = { object_id: newId(operation.object_id), aggregate_id: newId(operation.aggregate_id) };
    const isSame = payload === operation.payload && ids.aggregate_id === operation.aggregate_id;
    if (isSame && ids.object_id === operation.object_id) continue;
    await updateOperation(tx, operation.id, { ...ids, payload });
    rewritten.push(operation);
    const kind = operation.aggregate_kind as ObjectRef["kind"];
    for (const id of [operation.aggregate_id, ids.aggregate_id]) touched.set(`${kind}:${id}`, { kind, id });
  }
  // Without a family, so that bundles of the server do not replace this alias.
  await insertRows(
    tx,
    "alias",
    [...names].map(([old_id, new_id]) => ({ old_id, new_id, parent_id: "" })),
  );
  return { touched: [...touched.values()], rewritten };
}

/**
 * Rekeys a local draft whose ids are taken.
 * @returns the objects to rebase, by old and new ids.
 */
export async function remap(host: Host, tx: Tx, operation: Operation, taken: string[]): Promise<ObjectRef[]> {
  const names = new Map<string, string>();
  for (const old of taken) names.set(old, (await takeLeasedId(tx)) ?? mint(host));
  const { rewritten } = await rename(tx, names);
  for (const open of rewritten) {
    const state = open.id === operation.id ? "pending" : open.state;
    // Under the new ids it was never sent.
    await updateOperation(tx, open.id, { state, wire_id: host.newUuid(), attempts: 0 });
  }
  const family = operation.aggregate_id;
  return [...new Set([family, names.get(family) ?? family])].map((id) => ({ kind: "family", id }));
}
