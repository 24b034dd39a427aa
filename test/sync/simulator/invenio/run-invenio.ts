import { Chance } from "../chance.ts";
import { isExpected } from "../faults.ts";
import type { SeedResult } from "../run-seed.ts";
import type { Scenario, Step } from "../step.ts";
import { Violation } from "../violation.ts";
import { type Actions, deskActions } from "./desk-actions.ts";
import { heal } from "./invenio-heal.ts";
import { InvenioWorld } from "./invenio-world.ts";
import type { SimDesk } from "./sim-desk.ts";
import { siteActions } from "./site-actions.ts";
import { syncActions } from "./sync-actions.ts";
import {
  differences,
  doubledDrafts,
  holdingOf,
  isUpToDate,
  lostWork,
  needlessQuestions,
  wronglyTaken,
} from "./work-invariants.ts";

const actions: Actions = { ...deskActions, ...syncActions, ...siteActions };

const first = (found: readonly string[]): void => {
  const [one] = found;
  if (one !== undefined) throw new Violation(one);
};

const isSyncing = ({ do: name }: Step): boolean => name.startsWith("sync:") || name === "publish";

/** Takes a step. @returns whether it completed. */
async function take(world: InvenioWorld, desk: SimDesk, step: Step): Promise<boolean> {
  const action = actions[step.do];
  if (!action) throw new Error(`the simulator cannot ${step.do}`);
  const who = step.at === "server" ? "" : `${desk.name} `;
  try {
    const words = (await desk.live(action({ world, desk }))) ?? "nothing to do";
    world.log.push(`${step.do}: ${who}${words}`);
    return true;
  } catch (error) {
    if (!isExpected(error)) throw error;
    world.log.push(`${step.do}: ${who}ended with: ${error.message}`);
    await desk.survive(error);
    return false;
  }
}

/** A desk that says that all is there is right (U10). */
async function upToDateMeansThere(world: InvenioWorld, desk: SimDesk): Promise<void> {
  if (!(await isUpToDate(desk))) return;
  const [lost] = await lostWork(world, desk);
  if (lost !== undefined) throw new Violation(`${lost}, and nothing waits`);
}

const faultsOf = ({ faults }: InvenioWorld): number => [...faults.seen.values()].reduce((sum, times) => sum + times, 0);

async function play(world: InvenioWorld, { steps, faultRate, seed }: Scenario): Promise<void> {
  for (const step of steps) {
    const desk = world.desks[step.at === "server" ? 0 : step.at % world.desks.length] as SimDesk;
    world.chance = new Chance(step.dice);
    world.focus = step.focus;
    world.environment.begin(step.dice);
    world.faults.begin(step.dice ^ 0x1234567, step.faults ? faultRate : 0);
    const before = isSyncing(step) ? await holdingOf(desk) : undefined;
    const isTokenDead = !world.site.state.tokens.has(desk.account.token);
    const faults = faultsOf(world);
    const isComplete = await take(world, desk, step);
    first(world.ledger.broken);
    first(doubledDrafts(world));
    if (before) first(await wronglyTaken(world, desk, before, isTokenDead));
    if (before && faults === faultsOf(world)) first(await needlessQuestions(world, desk, before));
    if (before && isComplete && step.do !== "publish") await upToDateMeansThere(world, desk);
  }
  world.environment.begin(seed + 1);
  await heal(world);
  first(world.ledger.broken);
  first(await lostWork(world));
  first(doubledDrafts(world));
  first(await differences(world));
}

const wordsOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error instanceof Violation ? error.message : (error.stack ?? error.message);
};

/** Runs one seed: two desks and a browser work among faults, then everything heals, then the invariants are checked. */
export async function runInvenio(scenario: Scenario): Promise<SeedResult> {
  const world = await InvenioWorld.create(scenario);
  world.meanwhile = async () => {
    const { meanwhile } = world;
    // Whoever acts meanwhile is not interrupted.
    world.meanwhile = async () => {};
    await siteActions["site: edit"]?.({ world, desk: world.desks[0] as SimDesk });
    world.meanwhile = meanwhile;
  };
  let violation: string | undefined;
  try {
    await play(world, scenario);
  } catch (error) {
    violation = world.ledger.broken[0] ?? wordsOf(error);
  }
  await world.close();
  const { ledger, log, faults } = world;
  const changes = ledger.made.length + ledger.edits.length + ledger.comments.length + ledger.files.length;
  return { violation, log, faults: faults.seen, changes };
}
