import type { SeedResult } from "./run-seed.ts";
import type { Scenario } from "./step.ts";

/** With a Carrel server, or with a stock InvenioRDM. */
export type SimulatorName = "carrel" | "invenio";

export interface Simulator {
  planOf(seed: number, operations: number): Scenario;
  run(scenario: Scenario): Promise<SeedResult>;
}

/** Loads one simulator: the sources of the other stay out of the process. */
export async function simulatorOf(name: SimulatorName = "carrel"): Promise<Simulator> {
  if (name === "invenio") {
    const { planInvenio } = await import("./invenio/invenio-plan.ts");
    const { runInvenio } = await import("./invenio/run-invenio.ts");
    return { planOf: planInvenio, run: runInvenio };
  }
  const { planOf } = await import("./step.ts");
  const { run } = await import("./run-seed.ts");
  return { planOf, run };
}
