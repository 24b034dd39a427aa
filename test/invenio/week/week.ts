import { setTimeout as sleep } from "node:timers/promises";
import type { SiteFile } from "../../support/invenio/site-file.ts";
import { Random } from "../../support/random.ts";
import { faultsAtTheEnd, reportsTo } from "./week-check.ts";
import { healAll, press, publishOne, renewToken, takeStep } from "./week-steps.ts";
import { draftHere, openWeek, unsent, type Week } from "./week-world.ts";

const stepsADay = 75;
/** The work of a week may take this long, and settling at its end. */
const [maxWorkMs, maxHealMs] = [330_000, 180_000];

export interface WeekOptions {
  file: SiteFile;
  seed: number;
  days: number;
  /** Ends the processes of the server and starts them again; undefined: others started them. */
  restart: (() => Promise<void>) | undefined;
  print(line: string): void;
}

/** One day at both desks and in the browser. */
async function work(week: Week, random: Random, day: number, endMs: number): Promise<void> {
  for (let step = 0; step < stepsADay && Date.now() < endMs; step++) {
    const name = await takeStep(week, random, day * 1000 + step);
    week.counts.set(name, (week.counts.get(name) ?? 0) + 1);
    if (random.chance(0.3)) await sleep(random.below(900));
  }
}

/** The user presses again what they had wanted to publish, once nothing else waits. */
async function pressAgain(week: Week): Promise<void> {
  for (const made of week.made.filter(({ presses }) => presses > 0)) {
    const draft = await draftHere(made.desk, made.localId);
    const waits = (await unsent(made.desk)).some(
      ({ kind, object }) => kind === "draft.publish" && object.id === draft?.id,
    );
    if (waits && (await press(made))) made.presses++;
  }
}

async function settleAll(week: Week): Promise<void> {
  await healAll(week);
  const endMs = Date.now() + maxHealMs;
  for (let quiet = 0; quiet < 3 && Date.now() < endMs; ) {
    let waiting = 0;
    for (const desk of week.desks) {
      await desk.client.post("/api/sync/run");
      await desk.replica.engine.refresh();
      waiting += (await unsent(desk)).length;
    }
    await pressAgain(week);
    quiet = waiting === 0 ? quiet + 1 : 0;
    await sleep(1500);
  }
}

/**
 * A week of drafting in some minutes: two desks and a browser of one person, with lost answers, cut connections, a server
 * that is restarted, and a token that is revoked and renewed.
 * @returns whether the server has exactly what people did, or they were told.
 */
export async function runWeek({ file, seed, days, restart, print }: WeekOptions): Promise<boolean> {
  print(`a week with seed ${seed}`);
  const random = new Random(seed);
  const week = await openWeek(file);
  const began = Date.now();
  const endMs = began + maxWorkMs;
  try {
    for (let day = 1; day <= days; day++) {
      if (day === 3 && restart) {
        const restarted = restart();
        await work(week, random, day, endMs);
        await restarted;
      } else if (day === 5) await renewToken(week, () => work(week, random, day, endMs));
      else await work(week, random, day, endMs);
      await publishOne(week);
      print(`day ${day} over after ${Math.round((Date.now() - began) / 1000)} s: ${week.made.length} drafts`);
    }
    await settleAll(week);
    const faults = await faultsAtTheEnd(week);
    for (const [name, count] of [...week.counts].sort(([, a], [, b]) => b - a))
      print(`${String(count).padStart(5)} ${name}`);
    const { tray } = await reportsTo(week);
    print(`${week.site.calls.length} calls to the server; ${tray.length} in the tray:`);
    for (const { kind, reason } of tray) print(`      ${kind}: ${reason}`);
    for (const fault of faults) print(`FAILS ${fault}`);
    print(`the server ${faults.length === 0 ? "has exactly what people did, or they were told" : "DIFFERS"}`);
    if (!restart) print("NOT TRIED: the server was not restarted, because others started it");
    return faults.length === 0;
  } finally {
    await week.close();
  }
}
