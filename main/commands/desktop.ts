import {
  type CliCommand,
  parseCommandLine,
  parseLogLevel,
  parsePort,
  required,
} from "../../shared/kernel/command-line.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { defaultDataFolder } from "../desktop/default-folders.ts";
import { buildRenderer } from "../dev-build.ts";
import { ballastAmong } from "../replica/ballast.ts";
import { runReplica } from "../replica/run-replica.ts";
import { openBrowserWindow, windowAddress } from "./browser-window.ts";
import { startElectron } from "./start-electron.ts";

const options = {
  data: { type: "string" },
  port: { type: "string", default: "0" },
  browser: { type: "boolean", default: false },
  "no-open": { type: "boolean", default: false },
  "log-level": { type: "string", default: "warn" },
} as const;

/** `carrel desktop`: opens the app. */
export const desktopCommand: CliCommand = {
  serves: true,
  help: `carrel desktop [--data DIR] [--browser] [--no-open] [--port 0] [--log-level warn]

Opens the app: in a window of its own where Electron can be started, else in the default browser.
Without --data the library is in ${defaultDataFolder(process.platform, process.env)}.

  --browser   in the browser, even where Electron could be started
  --no-open   only prints the address, which works once, within a minute
`,
  async run(args) {
    const { values } = parseCommandLine(args, options);
    const dataDir = required(values.data ?? defaultDataFolder(process.platform, process.env), "data");
    const port = parsePort(values.port);
    const level = parseLogLevel(values["log-level"]);
    await buildRenderer((line) => process.stderr.write(`${line}\n`));
    if (!values.browser && !values["no-open"] && (await startElectron(dataDir))) return;
    let closeWindow: () => void = () => undefined;
    await runReplica({
      replica: {
        dataDir,
        port,
        environment: machineEnvironment(),
        log: createLog(level),
        startPaused: false,
        ballastBytes: ballastAmong(process.env),
      },
      offersSalvage: true,
      onReachable(at) {
        const address = windowAddress(at.url, at.guard.newCode());
        process.stdout.write(
          `Carrel is open at ${address}\nThe address works once, within a minute; Ctrl-C stops Carrel.\n`,
        );
        if (!values["no-open"]) closeWindow = openBrowserWindow(at);
      },
    }).finally(() => closeWindow());
  },
};
