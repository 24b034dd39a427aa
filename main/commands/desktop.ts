import { spawn } from "node:child_process";
import { type CliCommand, parseCommandLine, parseLogLevel, parsePort } from "../../shared/kernel/command-line.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { usualFolder } from "../desktop/usual-folder.ts";
import { ballastAmong } from "../replica/ballast.ts";
import { runReplica } from "../replica/run-replica.ts";
import { buildRenderer } from "../working-copy.ts";
import { startElectron } from "./start-electron.ts";

const options = {
  data: { type: "string" },
  port: { type: "string", default: "0" },
  browser: { type: "boolean", default: false },
  "no-open": { type: "boolean", default: false },
  "log-level": { type: "string", default: "warn" },
} as const;

/** Asks the operating system to show an address; whether it can is its business, the address is printed anyway. */
function showInBrowser(address: string): void {
  const [program, args] =
    process.platform === "darwin"
      ? ["open", [address]]
      : process.platform === "win32"
        ? ["cmd", ["/c", "start", "", address]]
        : ["xdg-open", [address]];
  const child = spawn(program as string, args as string[], { stdio: "ignore", detached: true });
  child.once("error", () => process.stderr.write("No browser could be opened: open the address yourself.\n"));
  child.unref();
}

/** `carrel desktop`: the app. */
export const desktopCommand: CliCommand = {
  help: `carrel desktop [--data DIR] [--browser] [--no-open] [--port 0] [--log-level warn]

Opens the app: in a window of its own where Electron can be started, else in the default browser.
Without --data the library is in ${usualFolder(process.platform, process.env)}.

  --browser   in the browser, even where Electron could be started
  --no-open   only prints the address
`,
  async run(args) {
    const { values } = parseCommandLine(args, options);
    const dataDir = values.data ?? usualFolder(process.platform, process.env);
    await buildRenderer((line) => process.stderr.write(`${line}\n`));
    if (!values.browser && !values["no-open"] && (await startElectron(dataDir))) return;
    await runReplica({
      replica: {
        dataDir,
        port: parsePort(values.port),
        environment: machineEnvironment(),
        log: createLog(parseLogLevel(values["log-level"])),
        startPaused: false,
        ballastBytes: ballastAmong(process.env),
      },
      offersSalvage: true,
      onReachable({ url, door }) {
        const address = `${url}/#t=${door.newCode()}`;
        process.stdout.write(`Carrel is open at ${address}\nThe address works once; Ctrl-C stops Carrel.\n`);
        if (!values["no-open"]) showInBrowser(address);
      },
    });
  },
};
