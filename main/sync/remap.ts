import { createHash } from "node:crypto";
import { insertRows } from "../../shared/bundles/bundle.repository.ts";
import type { Tx } from "../../shared/database/open.ts";
import type { Host, ObjectRef } from "../../shared/kernel/host.ts";
import { recordIdFrom } from "../../shared/kernel/record-id.ts";
import type { Refusal } from "../../shared/sync-protocol/push.schema.ts";
import { takeLeasedId } from "../replica/lease.repository.ts";
import { listOpen, type Operation, updateOperation } from "./operation.repository.ts";

const mint = (host: Host): string => recordIdFrom(createHash("sha256").update(host.newUuid()).digest().subarray(0, 5));

/** Commands that bring a draft into being under an id from here. */
export const bringing = new Set(["draft.create", "draft.new-version"]);

/** Ids of a new draft that the server has given to something else; empty for any other refusal. */
export function takenIds(operation: Operation, refusal: Refusal): string[] {
  const isTaken = bringing.has(operation.kind) && refusal.status === 409 && Array.isArray(refusal.taken);
  return isTaken ? (refusal.taken as unknown[]).map(String) : [];
}

/**
 * Gives a draft that was begun here other ids than those that turned out to be taken; by the old ones it is found here
 * still (hosts-and-sync 3, Ids). All that was done with it goes on under the new ones.
 * @returns the objects to be rebased, by their old and their new names.
 */
export async function remap(host: Host, tx: Tx, operation: Operation, taken: string[]): Promise<ObjectRef[]> {
  const names = new Map<string, string>();
  for (const old of taken) names.set(old, (await takeLeasedId(tx)) ?? mint(host));
  const renamed = (id: string): string => names.get(id) ?? id;
  for (const open of await listOpen(tx)) {
    let { payload } = open;
    for (const [old, id] of names) payload = payload.replaceAll(JSON.stringify(old), JSON.stringify(id));
    if (payload === open.payload && renamed(open.aggregate_id) === open.aggregate_id) continue;
    const ids = { object_id: renamed(open.object_id), aggregate_id: renamed(open.aggregate_id) };
    const state = open.id === operation.id ? "pending" : open.state;
    // Under these names it was never sent.
    await updateOperation(tx, open.id, { ...ids, payload, state, wire_id: host.newUuid(), attempts: 0 });
  }
  // Of no family: what the server says of one does not put it away, nor what else the id is an old name of there.
  await insertRows(
    tx,
    "alias",
    [...names].map(([old_id, new_id]) => ({ old_id, new_id, parent_id: "" })),
  );
  const family = operation.aggregate_id;
  return [...new Set([family, renamed(family)])].map((id) => ({ kind: "family", id }));
}
