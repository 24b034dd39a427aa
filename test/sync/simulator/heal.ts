import { listOpen, type Operation } from "../../../main/sync/operation.repository.ts";
import type { SimReplica } from "./sim-replica.ts";
import { Violation } from "./violation.ts";
import type { World } from "./world.ts";

const creating = ["draft.create", "draft.new-version", "draft.edit-published"];

/** What still waits, and has no reason that its person can see: nothing refused brings its object into being. */
async function stuck(replica: SimReplica): Promise<Operation[]> {
  const explaining: string[] = [];
  const unexplained: Operation[] = [];
  for (const operation of await listOpen(replica.db)) {
    const { state, kind, object_id, aggregate_id, payload } = operation;
    const isExplained = explaining.some((id) => [object_id, aggregate_id].includes(id) || payload.includes(id));
    if (state !== "rejected" && !isExplained) unexplained.push(operation);
    if (!creating.includes(kind) || (state !== "rejected" && !isExplained)) continue;
    explaining.push(object_id);
    if (kind === "draft.create" || kind === "review.put") explaining.push(aggregate_id);
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

/** Ends all faults and lets everybody send and fetch until nothing is left to do. @throws Violation I9 */
export async function heal(world: World): Promise<void> {
  world.faults.begin(0, 0);
  world.server.isPaging = false;
  world.server.restart();
  for (const replica of world.replicas) {
    replica.isPartitioned = false;
    replica.isTokenExpired = false;
    await replica.restart();
  }
  let waiting: Operation[] = [];
  for (let round = 0; round < 60; round++) {
    let moved = 0;
    for (const replica of world.replicas) {
      await replica.uploadAll();
      moved += await replica.pushOnce();
      await fetchAll(replica);
    }
    waiting = (await Promise.all(world.replicas.map(stuck))).flat();
    // Nothing was sent in this round: each has fetched all there is.
    if (moved === 0 && waiting.length === 0) {
      world.server.isPaging = true;
      return;
    }
  }
  const words = waiting.map(({ kind, id, object_id }) => `${kind} ${id} of ${object_id}`);
  throw new Violation(`I9 still unsent after healing: ${words.join(", ") || "something moves for ever"}`);
}
