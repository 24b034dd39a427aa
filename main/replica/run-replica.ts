import { untilStopped } from "../../shared/kernel/command-line.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { offerSalvage, type Reached } from "./offer-salvage.ts";
import { openReplica, type ReplicaOptions, type RunningReplica } from "./open-replica.ts";
import { lastLibrary, rememberLibrary } from "./other-library.ts";
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

  /** @returns the folder of the library to go on with; undefined to end. */
  async function runOnce(dataDir: string): Promise<string | undefined> {
    const { promise: leaving, resolve: openOther } = Promise.withResolvers<string>();
    const replica = await openReplica({ ...options, ...at, dataDir, openOther });
    try {
      await prepare?.(replica);
      if (offersSalvage) rememberLibrary(options.dataDir, dataDir);
      return await Promise.race([reachable(replica).then(() => undefined), replica.damaged, leaving]);
    } finally {
      await replica.close();
    }
  }

  // Where a user looks on, the library is the one they chose last.
  let dataDir = offersSalvage ? lastLibrary(options.dataDir) : options.dataDir;
  let former: string | undefined;
  for (;;) {
    try {
      const next = await runOnce(dataDir);
      if (next === undefined) return;
      [former, dataDir] = [dataDir, next];
    } catch (failure) {
      if (isDamage(failure)) {
        if (!offersSalvage) throw new Failure(failure.kind, `${failure.message} ${offer}`);
        if (!(await offerSalvage({ options: { ...options, dataDir }, damage: failure, at, onReachable: reachable })))
          return;
      } else if (former !== undefined) {
        options.log.error({ err: failure }, "the other library could not be opened: back to the former one");
        [former, dataDir] = [undefined, former];
      } else throw failure;
    }
  }
}
