import { assertHost } from "../../shared/database/library.ts";
import { type CliCommand, parseCommandLine, printJson, required } from "../../shared/kernel/command-line.ts";
import { findDataFolder } from "../../shared/kernel/data-folder.ts";
import { openRows } from "../open-rows.ts";

const options = { data: { type: "string" }, contract: { type: "boolean", default: false } } as const;

/** `carrel migrate`: migrates the database of a server without starting one. */
export const migrateCommand: CliCommand = {
  help: `carrel migrate --data DIR [--contract]

Brings the database of a server to this version, as a start of the server does, while processes of the version before
go on. A step that they could not bear is refused in words, and a step that only takes away what this version no longer
needs waits until none of them runs. Prints {"event":"migrated","data":…,"left":…}: left is the number of steps that
wait.

  --contract   runs the steps that wait, too; refused while a process of an older version uses the database
`,
  async run(args) {
    const { values } = parseCommandLine(args, options);
    const data = required(values.data, "data");
    const { db, stepsLeft, close } = await openRows(findDataFolder(data), { mustContract: values.contract });
    await assertHost(db, "server", data).finally(close);
    printJson({ event: "migrated", data, left: stepsLeft });
  },
};
