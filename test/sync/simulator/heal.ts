import { listOpen, type Operation } from "../../../main/sync/operation.repository.ts";
import { madeBy } from "../../../main/sync/part.policy.ts";
import type { SimReplica } from "./sim-replica.ts";
import { Violation } from "./violation.ts";
import type { World } from "./world.ts";

const creating = ["draft.create", "draft.new-version", "draft.edit-published"];

const hasDraft = async ({ db }: SimReplica, id: string): Promise<boolean> =>
  (await db.selectFrom("draft").select("id").where("id", "=", id).executeTakeFirst()) !== undefined;

/** Operations that wait without a reason that the user can see, such as a rejected creation of the object. */
async function stuck(replica: SimReplica): Promise<Operation[]> {
  const explaining: { id: string; creation: string }[] = [];
  const unexplained: Operation[] = [];
  for (const operation of await listOpen(replica.db)) {
    const { state, kind, object_id, aggregate_id, payload } = operation;
    const isExplained = explaining.some(({ id, creation }) => {
      // A next version depends on the record, not on the draft that edits it.
      const isOfRecord = kind === "draft.new-version" && creation === "draft.edit-published";
      // A refused review stops what submits it, and nothing else of its draft.
      if (creation === "review.put") return kind === "review.submit" && object_id === id;
      return !isOfRecord && ([object_id, aggregate_id].includes(id) || payload.includes(id));
    });
    if (state !== "rejected" && !isExplained) unexplained.push(operation);
    if (kind === "review.put" && state === "rejected") {
      explaining.push({ id: object_id, creation: kind }, { id: JSON.parse(payload).id, creation: "request" });
    }
    if (kind === "file.init" && (state === "rejected" || isExplained))
      for (const { id } of JSON.parse(payload).files) explaining.push({ id, creation: kind });
    if (state === "rejected" || isExplained)
      for (const id of madeBy(operation)) explaining.push({ id, creation: kind });
    if (!creating.includes(kind) || (state !== "rejected" && !isExplained)) continue;
    if (kind === "draft.edit-published" && (await hasDraft(replica, object_id))) continue;
    explaining.push({ id: object_id, creation: kind });
    if (kind === "draft.create") explaining.push({ id: aggregate_id, creation: kind });
  }
  return unexplained;
}

async function fetchAll(replica: SimReplica): Promise<void> {
  for (;;) {
    const isDone = await replica.survive(async () => {
      await replica.pullAll();
    });
    if (isDone) return;
  }
}

/** I5: a deactivated user fetches nothing. `watch.ts` checks what they send when it is executed. */
async function assertShutOut(replica: SimReplica): Promise<void> {
  await replica.survive(() => replica.pushOnce());
  const isAnswered = await replica.survive(() => replica.pullOnce());
  if (isAnswered) throw new Violation(`I5 ${replica.name} was answered though the account was ended`);
}

/** Stops all faults and syncs all replicas until nothing is left to do. @throws Violation I9 */
export async function heal(world: World): Promise<void> {
  world.faults.begin(0, 0);
  world.server.isPaging = false;
  world.server.restart();
  for (const replica of world.replicas) {
    replica.isPartitioned = false;
    replica.isTokenExpired = false;
    await replica.restart();
  }
  const letIn: SimReplica[] = [];
  for (const replica of world.replicas) {
    if (await world.server.callerOf(replica.userId)) letIn.push(replica);
    else await assertShutOut(replica);
  }
  let waiting: Operation[] = [];
  for (let round = 0; round < 60; round++) {
    let moved = 0;
    for (const replica of letIn) {
      await replica.uploadAll();
      moved += await replica.pushOnce();
      await fetchAll(replica);
    }
    waiting = (await Promise.all(letIn.map(stuck))).flat();
    // Nothing was sent in this round, so every replica is up to date.
    if (moved === 0 && waiting.length === 0) {
      world.server.isPaging = true;
      return;
    }
  }
  const words = waiting.map(({ kind, id, object_id }) => `${kind} ${id} of ${object_id}`);
  throw new Violation(`I9 still unsent after healing: ${words.join(", ") || "something moves for ever"}`);
}
