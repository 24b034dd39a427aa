import { type CliCommand, parseCommandLine, printJson, required } from "../../shared/kernel/command-line.ts";
import { UsageError } from "../../shared/kernel/usage-error.ts";
import { restoreBackup } from "../upkeep/restore.service.ts";
import { recordConsoleEvent } from "../with-services.ts";

/** `carrel restore`: restores a backup into an empty folder. */
export const restoreCommand: CliCommand = {
  help: `carrel restore FILE --data DIR

Puts a backup into DIR, which must not hold data already. The rows are in SQLite then, and the bytes in DIR, wherever they
were before; 'carrel move' brings them to PostgreSQL or a bucket. Replicas of a restored server notice, and deliver again what
they had delivered since the backup.
Prints {"event":"restored","data":…,"blobs":…,"created":…,"damaged":[…]}: bytes that are damaged in the backup, and are
left out. Another backup may have them.
`,
  async run(args) {
    const { values, positionals } = parseCommandLine(args, { data: { type: "string" } } as const, 1);
    const [file] = positionals;
    if (file === undefined || file === "") throw new UsageError("The FILE to restore is missing.");
    const report = await restoreBackup(file, required(values.data, "data"));
    const { blobs, created } = report;
    for (const sha256 of report.damaged)
      process.stderr.write(`The file content ${sha256} is damaged in the backup, and is left out.\n`);
    await recordConsoleEvent(report.data, { action: "backup.restore", details: { blobs, created } });
    printJson({ event: "restored", ...report });
  },
};
