import { untilStopped } from "../../shared/kernel/command-line.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { offerSalvage, type Reached } from "./offer-salvage.ts";
import { openReplica, type ReplicaOptions, type RunningReplica } from "./open-replica.ts";
import { isDamage } from "./salvage.ts";

const offer = "'carrel replica --data DIR --salvage' sets it aside, saves unsent work and fetches the rest again.";

export interface RunOptions {
  replica: ReplicaOptions;
  /** Whether the app's pages offer to salvage a damaged database; otherwise damage ends the run. */
  offersSalvage: boolean;
  /** Called with the open replica before it counts as reachable. */
  prepare?(replica: RunningReplica): Promise<void>;
  /** Called once; address and access stay the same until the end. */
  onReachable(at: Reached): void;
}

/**
 * Runs a replica until the process is asked to stop.
 * @throws Failure what `openReplica` throws, and damage found later, unless the pages offer to salvage it.
 */
export async function runReplica({ replica: options, offersSalvage, prepare, onReachable }: RunOptions): Promise<void> {
  let at: Reached | undefined;
  let stopped: Promise<void> | undefined;
  const reachable = (now: Reached) => {
    stopped ??= untilStopped();
    if (at === undefined) onReachable(now);
    at = now;
    return stopped;
  };

  async function runOnce(): Promise<void> {
    const replica = await openReplica({ ...options, ...at });
    try {
      await prepare?.(replica);
      await Promise.race([reachable(replica), replica.damaged]);
    } finally {
      await replica.close();
    }
  }

  for (;;) {
    try {
      await runOnce();
      return;
    } catch (damage) {
      if (!isDamage(damage)) throw damage;
      if (!offersSalvage) throw new Failure(damage.kind, `${damage.message} ${offer}`);
      if (!(await offerSalvage({ options, damage, at, onReachable: reachable }))) return;
    }
  }
}
