import { type CliCommand, parseCommandLine, printJson, required } from "../../shared/kernel/command-line.ts";
import { UsageError } from "../../shared/kernel/usage-error.ts";
import { writeBackup } from "../upkeep/backup.service.ts";
import { recordConsoleEvent } from "../with-services.ts";

/** `carrel backup`: writes a data folder to one file. */
export const backupCommand: CliCommand = {
  help: `carrel backup --data DIR FILE

Writes a consistent copy of the data of a server or replica, its database and its blobs, into FILE, while it runs.
An earlier backup in FILE is replaced when the copy is complete; another file is not. The backup holds everything, credentials included: keep it as safe as DIR.
Prints {"event":"backup","file":…,"bytes":…,"blobs":…,"missing":[…],"damaged":[…]}: bytes that DIR should have, and bytes that
are damaged there. A restore leaves both out; 'carrel check' tells more.
`,
  async run(args) {
    const { values, positionals } = parseCommandLine(args, { data: { type: "string" } } as const, 1);
    const data = required(values.data, "data");
    const [file] = positionals;
    if (file === undefined || file === "") throw new UsageError("The FILE to write is missing.");
    const report = await writeBackup(data, file);
    for (const sha256 of report.missing) process.stderr.write(`The file content ${sha256} is missing in ${data}.\n`);
    for (const sha256 of report.damaged) process.stderr.write(`The file content ${sha256} is damaged in ${data}.\n`);
    const { bytes, blobs } = report;
    await recordConsoleEvent(data, { action: "backup.create", details: { bytes, blobs } });
    printJson({ event: "backup", ...report });
  },
};
