import { type CliCommand, parseCommandLine, required } from "../../shared/kernel/command-line.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { checkData } from "../upkeep/check.service.ts";

const options = { data: { type: "string" }, repair: { type: "boolean" } } as const;

/** `carrel check`: whether a data folder is sound. */
export const checkCommand: CliCommand = {
  help: `carrel check --data DIR [--repair]

Verifies the database, the checksums of all bytes, the search index and the feed of a server or replica, also while it
runs. Prints what is wrong, one finding a line; exit code 1 if anything is (and stays so).

  --repair   builds the search index anew where it is wrong, puts the feed right, removes what killed processes left;
             never bytes that something refers to
`,
  async run(args) {
    const { values } = parseCommandLine(args, options);
    const data = required(values.data, "data");
    let wrong = 0;
    for await (const finding of checkData(data, values.repair ?? false)) {
      process.stdout.write(`${finding.repaired ?? finding.what}\n`);
      if (finding.repaired === undefined && !finding.isHarmless) wrong += 1;
    }
    if (wrong > 0) throw new Failure("invalid", `${data}: ${wrong} ${wrong === 1 ? "thing is" : "things are"} wrong.`);
    process.stdout.write(`${data} is sound.\n`);
  },
};
