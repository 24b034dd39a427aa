import { untilStopped } from "../../shared/kernel/command-line.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { openWithReserve } from "./ballast.ts";
import { offerSalvage, type ReplicaAddress } from "./offer-salvage.ts";
import { openReplica, type ReplicaOptions, type RunningReplica } from "./open-replica.ts";
import { lastLibrary, rememberLibrary } from "./other-library.ts";
import { isDamage } from "./salvage.ts";

const salvageHelp =
  "'carrel replica --data DIR --salvage' moves it away, saves unsent work and fetches the rest again.";

export interface RunOptions {
  replica: ReplicaOptions;
  /** Whether the app's pages offer to salvage a damaged database; otherwise damage ends the run. */
  offersSalvage: boolean;
  /** Called with the open replica before it counts as reachable. */
  prepare?(replica: RunningReplica): Promise<void>;
  /** Called once, because the address stays the same until the process ends. */
  onReachable(address: ReplicaAddress): void;
}

/**
 * Runs a replica until the process is asked to stop.
 * @throws Failure what `openReplica` throws, and damage found later, unless the pages offer to salvage it.
 */
export async function runReplica({ replica: options, offersSalvage, prepare, onReachable }: RunOptions): Promise<void> {
  let address: ReplicaAddress | undefined;
  // From the beginning: whoever stops a process that answers already, and still connects, stops it in an orderly way.
  const stopped = untilStopped();
  const reachable = (now: ReplicaAddress) => {
    if (address === undefined) onReachable(now);
    address = now;
    return stopped;
  };

  /** @returns the folder of the library to open next; undefined when the process should end. */
  async function runOnce(dataDir: string): Promise<string | undefined> {
    const { promise: leaving, resolve: openOther } = Promise.withResolvers<string>();
    const replica = await openWithReserve(dataDir, () => openReplica({ ...options, ...address, dataDir, openOther }));
    try {
      await Promise.race([prepare?.(replica), stopped]);
      if (offersSalvage) rememberLibrary(options.dataDir, dataDir);
      return await Promise.race([reachable(replica).then(() => undefined), replica.damaged, leaving]);
    } finally {
      await replica.close();
    }
  }

  // Only the app follows the user's last choice; a replica without pages opens the given folder.
  let dataDir = offersSalvage ? lastLibrary(options.dataDir) : options.dataDir;
  let former: string | undefined;
  for (;;) {
    try {
      const next = await runOnce(dataDir);
      if (next === undefined) return;
      [former, dataDir] = [dataDir, next];
    } catch (failure) {
      if (isDamage(failure)) {
        if (!offersSalvage) throw new Failure(failure.kind, `${failure.message} ${salvageHelp}`);
        const damaged = { options: { ...options, dataDir }, damage: failure, address, onReachable: reachable };
        if (!(await offerSalvage(damaged))) return;
      } else if (former !== undefined) {
        options.log.error({ err: failure }, "the other library could not be opened; opening the former one again");
        [former, dataDir] = [undefined, former];
      } else throw failure;
    }
  }
}
