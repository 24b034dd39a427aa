import { readFileSync } from "node:fs";
import { simulatorOf } from "./simulators.ts";

/** A child process that plays kept runs of the simulator with an InvenioRDM, and prints what each breaks as JSON. */
const { run } = await simulatorOf("invenio");
const broken: (string | null)[] = [];
for (const file of process.argv.slice(2)) {
  const { scenario } = JSON.parse(readFileSync(file, "utf8"));
  broken.push((await run(scenario)).violation ?? null);
}
process.stdout.write(`${JSON.stringify(broken)}\n`);
