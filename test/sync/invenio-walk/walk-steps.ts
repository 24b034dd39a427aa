import { fakeOf } from "../../support/desk-site.ts";
import type { ProfileName } from "../../support/fake-invenio/profile.ts";
import type { FaultKind } from "../../support/fake-invenio/switches.ts";
import type { Chance } from "../simulator/chance.ts";
import {
  addFileHere,
  comment,
  createDraft,
  discard,
  editDraft,
  editThere,
  press,
  setPaused,
  signIn,
  signOut,
  type World,
} from "./walk-world.ts";

/** One step, as data: a shorter list of steps is a history of its own. */
export type WalkStep =
  | { do: "create"; name: string }
  | { do: "edit" | "edit-there"; which: number; field: string; value: string }
  | { do: "file"; which: number; key: string; bytes: string }
  | { do: "comment"; text: string }
  | { do: "press" | "discard"; which: number }
  | { do: "pause" | "resume" | "sign-out" | "sign-in" }
  | { do: "fault"; kind: FaultKind; method: string; path: string; lateMs: number }
  | { do: "lag"; ms: number }
  | { do: "tick"; seconds: number };

const faults: readonly FaultKind[] = [
  ...(["lost-before", "lost-after", "done-but-500", "queue-down", "refused-500", "late-504", "html-502"] as const),
  "too-many",
];
const targets: readonly [method: string, path: string][] = [
  ["POST", "/api/records$"],
  ["PUT", "/draft$"],
  ["POST", "/comments$"],
  ["POST", "/files$"],
  ["PUT", "/content$"],
  ["POST", "/commit$"],
  ["POST", "/publish$"],
  ["DELETE", "/draft$"],
  ["GET", "/user/records$"],
  ["GET", "/draft$"],
];

/** How often each step comes, of 100. */
const weights: readonly [WalkStep["do"], number][] = [
  ["create", 9],
  ["edit", 18],
  ["edit-there", 7],
  ["file", 8],
  ["comment", 7],
  ["press", 4],
  ["discard", 3],
  ["pause", 4],
  ["resume", 6],
  ["sign-out", 2],
  ["sign-in", 3],
  ["fault", 11],
  ["lag", 3],
  ["tick", 15],
];

function chosen(chance: Chance): WalkStep["do"] {
  let left = chance.below(weights.reduce((sum, [, weight]) => sum + weight, 0));
  for (const [step, weight] of weights) {
    left -= weight;
    if (left < 0) return step;
  }
  return "tick";
}

function stepOf(chance: Chance, at: number): WalkStep {
  const which = chance.below(100);
  const step = chosen(chance);
  switch (step) {
    case "create":
      return { do: step, name: `Maker${at}` };
    case "edit":
      return { do: step, which, field: chance.happens(0.5) ? "publisher" : "version", value: `Written ${at}` };
    // Other fields than those edited here, so that both must stand.
    case "edit-there":
      return { do: step, which, field: "description", value: `<p>On the site ${at}</p>` };
    case "file":
      return { do: step, which, key: `f${chance.below(3)}.csv`, bytes: `bytes ${at}` };
    case "comment":
      return { do: step, text: `Said at ${at}` };
    case "press":
    case "discard":
      return { do: step, which };
    case "fault": {
      const [method, path] = chance.pick(targets) ?? ["GET", "/draft$"];
      const kind = chance.pick(faults) ?? "lost-after";
      return { do: step, kind, method, path, lateMs: 1000 * (1 + chance.below(100)) };
    }
    case "lag":
      return { do: step, ms: chance.below(60_000) };
    case "tick":
      return { do: step, seconds: 5 + chance.below(120) };
    default:
      return { do: step };
  }
}

export const stepsOf = (chance: Chance, count: number): WalkStep[] =>
  Array.from({ length: count }, (_, at) => stepOf(chance, at));

export const profileOf = (seed: number): ProfileName =>
  (["invenio-14", "zenodo", "invenio-13"] as const)[seed % 3] ?? "invenio-14";

export async function take(world: World, step: WalkStep): Promise<void> {
  const { made } = world;
  const { switches } = fakeOf(world);
  const alive = made.filter(({ isDiscarded }) => !isDiscarded);
  const one = "which" in step ? alive[step.which % Math.max(1, alive.length)] : undefined;
  switch (step.do) {
    case "create":
      return createDraft(world, step.name);
    case "edit":
      return one && editDraft(world, one, step.field, step.value);
    case "edit-there":
      // A fault may meet this call, too.
      return one && editThere(world, one, step.field, step.value).catch(() => undefined);
    case "file":
      return one && addFileHere(world, one, step.key, step.bytes);
    case "comment":
      return comment(world, step.text);
    case "press":
      return one && press(world, one);
    case "discard":
      return one && discard(world, one);
    case "pause":
    case "resume":
      return setPaused(world, step.do === "pause");
    case "sign-out":
      return signOut(world);
    case "sign-in":
      return signIn(world);
    case "fault":
      return switches.fault(step.kind, step.method, new RegExp(step.path), 1, step.lateMs);
    case "lag":
      switches.indexLagMs = step.ms;
      return;
    case "tick":
      return world.tick(step.seconds);
  }
}
