import { act } from "./actions.ts";
import { Crash } from "./faults.ts";
import { commentsOnce, converged, nothingDoubled, nothingLost, Violation } from "./invariants.ts";
import { type Intent, Ledger } from "./ledger.ts";
import { World } from "./world.ts";

export interface SeedResult {
  seed: number;
  /** What does not hold; undefined when everything does. */
  violation: string | undefined;
  log: string[];
  faults: Map<string, number>;
  intents: Intent[];
}

async function step(world: World, ledger: Ledger): Promise<void> {
  const { chance } = world;
  const replica = chance.pick(world.replicas);
  if (!replica) return;
  const dice = chance.below(20);
  if (dice < 9) await act(world, ledger, chance.happens(0.2) ? undefined : replica);
  else if (dice < 13) await replica.survive(() => replica.pushOnce());
  else if (dice < 17) await replica.survive(() => replica.pullOnce());
  else if (dice < 18) await replica.survive(() => replica.topUp());
  else if (dice < 19) replica.isPartitioned = !replica.isPartitioned;
  else {
    world.environment.advance(chance.below(3_600_000_000));
    replica.restart();
  }
}

/** One whole run from a seed: everybody works among faults, then all is healed, then the invariants are asked. */
export async function runSeed(seed: number, operations: number): Promise<SeedResult> {
  const world = new World({ seed, replicas: 2 + (seed % 2), faultRate: 0.02 + (seed % 5) * 0.02 });
  const ledger = new Ledger();
  let violation: string | undefined;
  try {
    await world.prepare();
    for (let index = 0; index < operations; index++) await step(world, ledger);
    for (const replica of world.replicas) replica.restart();
    await world.heal();
    for (const replica of world.replicas) await converged(world, replica);
    await nothingLost(world, ledger);
    await nothingDoubled(world, ledger);
    await commentsOnce(world, ledger);
  } catch (error) {
    const isFinding = error instanceof Violation || error instanceof Crash;
    violation = error instanceof Error ? (isFinding ? error.message : (error.stack ?? error.message)) : String(error);
  }
  await world.close();
  return { seed, violation, log: world.log, faults: world.faults.seen, intents: ledger.intents };
}
