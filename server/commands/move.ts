import { type CliCommand, parseCommandLine, printJson, required } from "../../shared/kernel/command-line.ts";
import { UsageError } from "../../shared/kernel/usage-error.ts";
import { parseDatabase } from "../config.ts";
import { moveRows } from "../upkeep/move.service.ts";
import { recordConsoleEvent } from "../with-services.ts";

const options = {
  data: { type: "string" },
  database: { type: "string" },
  sqlite: { type: "boolean", default: false },
} as const;

/** `carrel move`: moves the rows of a server between SQLite and PostgreSQL. */
export const moveCommand: CliCommand = {
  help: `carrel move --data DIR --database postgres://user@host/name
carrel move --data DIR --sqlite

Moves the rows of a stopped server to an empty PostgreSQL database, or back into DIR. Files stay in DIR. Every table is
compared before the move counts; if it fails, the rows are where they were. Replicas notice nothing. A copy of the
SQLite file stays in DIR. A password belongs into PGPASSWORD.
Prints {"event":"moved","data":…,"place":…,"tables":…,"rows":…}.
`,
  async run(args) {
    const { values } = parseCommandLine(args, options);
    const address = parseDatabase(values.database);
    if ((address === undefined) !== values.sqlite) throw new UsageError("Name either --database or --sqlite.");
    const data = required(values.data, "data");
    const report = await moveRows(data, address, (table, rows) => process.stderr.write(`${table}: ${rows} rows\n`));
    await recordConsoleEvent(data, { action: "data.move", details: { tables: report.tables, rows: report.rows } });
    printJson({ event: "moved", data, ...report });
  },
};
