import { Violation } from "../violation.ts";
import { draftOf, press } from "./desk-actions.ts";
import type { InvenioWorld } from "./invenio-world.ts";
import type { SimDesk } from "./sim-desk.ts";
import { unsentAt } from "./work-invariants.ts";

const maxRounds = 60;
/** Longer than the looks for a publication. */
const roundSeconds = 65;

async function settle(world: InvenioWorld, desk: SimDesk): Promise<void> {
  try {
    desk.upstream.lookNow?.();
    await desk.live(desk.syncAll());
  } catch (error) {
    await desk.survive(error);
    if (desk.needsSignIn) await desk.signIn(world.newToken());
  }
}

/** The user presses again what waits to be published, so that what they did after it can go. */
async function pressAgain(world: InvenioWorld, desk: SimDesk): Promise<void> {
  const rows = await desk.db
    .selectFrom("operation")
    .select("object_id")
    .where("kind", "=", "draft.publish")
    .where("state", "=", "pending")
    .execute();
  for (const made of world.ledger.made) {
    const draft = await draftOf({ world, desk }, made);
    if (!draft || !rows.some(({ object_id }) => object_id === draft.id)) continue;
    try {
      await press({ world, desk }, { made, draft });
    } catch (error) {
      await desk.survive(error);
    }
  }
}

/** Ends all faults, then lets everything settle. @throws Violation if something never settles */
export async function heal(world: InvenioWorld): Promise<void> {
  const { site, desks, faults } = world;
  faults.begin(0, 0);
  world.meanwhile = async () => {};
  site.switches.clearFaults();
  site.switches.indexLagMs = 0;
  site.switches.ownRules.clear();
  site.limits.override = undefined;
  world.badMoment.kind = undefined;
  if (world.clocks.size > 0) world.watch.forgetCreations();
  world.clocks.clear();
  for (const desk of desks) {
    desk.isPartitioned = false;
    await (site.state.tokens.has(desk.account.token) && !desk.needsSignIn
      ? desk.restart()
      : desk.signIn(world.newToken()));
  }
  let waiting: string[] = [];
  for (let round = 0; round < maxRounds; round++) {
    waiting = [];
    for (const desk of desks) {
      await settle(world, desk);
      await pressAgain(world, desk);
      for (const { kind, state } of await unsentAt(desk)) waiting.push(`${kind} (${state}) of ${desk.name}`);
    }
    world.pass(roundSeconds);
    if (waiting.length === 0) break;
  }
  if (waiting.length > 0) throw new Violation(`U10 still unsent after healing: ${waiting.join(", ")}`);
  // Everything is walked over once a day; what is late there by then is old.
  for (const seconds of [86_500, 60, 60, 60]) {
    world.pass(seconds);
    for (const desk of desks) await settle(world, desk);
  }
}
