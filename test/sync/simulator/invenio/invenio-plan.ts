import { Chance } from "../chance.ts";
import type { Scenario, Step } from "../step.ts";
import { type InvenioMotif, invenioMotifs } from "./invenio-motifs.ts";

/** How often each step comes. */
const weights: Record<string, number> = {
  create: 7,
  edit: 16,
  attach: 7,
  "remove file": 2,
  publish: 5,
  discard: 2,
  "edit again": 3,
  "new version": 2,
  comment: 5,
  "say again": 2,
  "sync: push": 10,
  "sync: pull": 6,
  "sync: look now": 3,
  "sync: all": 14,
  "desk: offline": 3,
  "desk: online": 1,
  "desk: kill": 2,
  "desk: clock": 1,
  "desk: back up": 1,
  "desk: restore": 1,
  "desk: sign in": 4,
  "token: revoke": 1,
  "time: seconds": 14,
  "time: minutes": 5,
  "time: day": 1,
  "tray: retry": 1,
  "tray: discard": 1,
  "site: edit": 7,
  "site: edit record": 2,
  "site: start over": 2,
  "site: open page": 2,
  "site: save old page": 2,
  "site: add file": 2,
  "site: publish": 1,
  "site: discard": 1,
  "site: comment": 2,
  "site: late lists": 2,
  "site: bad moment": 2,
  "site: own rule": 1,
  "site: few calls": 1,
  "site: busy address": 2,
  "site: rebuild index": 1,
};

const bag = Object.entries(weights).flatMap(([name, weight]) => Array.from({ length: weight }, () => name));
const isOfSite = (name: string): boolean => name.startsWith("site:") || name.startsWith("time:");

/** The run of a seed. */
export function planInvenio(seed: number, operations: number): Scenario {
  const chance = new Chance(seed);
  const dice = () => Math.floor(chance.next() * 4_294_967_296);
  const cast = seed % 4 === 0 ? ["ada"] : ["ada", "ada"];
  const step = (name: string, at: Step["at"], faults = true): Step => ({
    do: name,
    at,
    by: "ada",
    dice: dice(),
    faults,
  });
  const any = (): Step => {
    const name = chance.pick(bag) ?? "sync: all";
    return step(name, isOfSite(name) ? "server" : chance.below(cast.length));
  };
  function stepsOf(motif: InvenioMotif): Step[] {
    const a = chance.below(cast.length);
    const b = (a + 1) % cast.length;
    const faults = chance.happens(0.3);
    const focus = dice();
    const online = [a, b].map((at) => step("desk: online", at, false));
    const story = motif.flatMap(([name, who]) => {
      const own = { ...step(name, who === "site" ? "server" : who === "a" ? a : b, faults), focus };
      return chance.happens(0.1) ? [any(), own] : [own];
    });
    return [...online, ...story];
  }
  const steps = [step("create", 0, false), step("time: seconds", "server", false)];
  const due = chance.below(operations / 2);
  let motif = invenioMotifs[(seed + Math.floor(seed / invenioMotifs.length)) % invenioMotifs.length];
  while (steps.length < operations) {
    const isDue = motif !== undefined && steps.length >= due;
    steps.push(...(motif && isDue ? stepsOf(motif) : [any()]));
    if (isDue) motif = undefined;
  }
  return { seed, cast, faultRate: 0.02 + (seed % 5) * 0.02, steps };
}
