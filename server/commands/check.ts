import { type CliCommand, parseCommandLine, required } from "../../shared/kernel/command-line.ts";
import { isDiskFull, isStorageDown } from "../../shared/kernel/disk-full.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { checkData } from "../upkeep/check.service.ts";
import { recordConsoleEvent } from "../with-services.ts";

const problems = (count: number): string => `${count} ${count === 1 ? "problem was" : "problems were"}`;

/** What to say when the storage stops a repair that has changed something. */
function stopped(error: unknown, repaired: number): unknown {
  const done = `${problems(repaired)} repaired, and the rest was not.`;
  if (isDiskFull(error)) return new Failure("disk_full", `The disk is full: ${done} Free some space and try again.`);
  if (!isStorageDown(error)) return error;
  return new Failure("unavailable", `The storage cannot be used at the moment: ${done} Try again later.`);
}

const options = { data: { type: "string" }, repair: { type: "boolean" } } as const;

/** `carrel check`: verifies a data folder. */
export const checkCommand: CliCommand = {
  help: `carrel check --data DIR [--repair]

Verifies the database, the checksums of all bytes, the search index and the feed of a server or replica, also while it
runs. Prints one problem a line. The exit code is 1 if there are problems that were not repaired.

  --repair   rebuilds wrong parts of the search index, repairs the feed, and removes files that killed processes left;
             never removes bytes that a row refers to
`,
  async run(args) {
    const { values } = parseCommandLine(args, options);
    const data = required(values.data, "data");
    let wrong = 0;
    let repaired = 0;
    try {
      for await (const finding of checkData(data, values.repair ?? false)) {
        process.stdout.write(`${finding.repaired ?? finding.what}\n`);
        if (finding.isUnchecked) throw new Failure("unavailable", `${data} could not be checked.`);
        if (finding.repaired !== undefined) repaired += 1;
        if (finding.repaired === undefined && !finding.isHarmless) wrong += 1;
      }
    } catch (error) {
      throw repaired > 0 ? stopped(error, repaired) : error;
    } finally {
      if (repaired > 0) await recordConsoleEvent(data, { action: "data.repair", details: { repaired } });
    }
    if (wrong > 0) {
      const next = values.repair ? "" : " --repair mends what can be mended without loss.";
      throw new Failure("invalid", `${data}: ${problems(wrong)} found.${next}`);
    }
    const found = repaired > 0 ? `${problems(repaired)} repaired` : "No problems were found";
    process.stdout.write(`${found} in ${data}.\n`);
  },
};
