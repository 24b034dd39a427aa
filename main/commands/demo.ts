import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openServer } from "../../server/open-server.ts";
import { type CliCommand, parseCommandLine, parsePort, untilStopped } from "../../shared/kernel/command-line.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { defaultSettings } from "../../shared/settings/settings.schema.ts";
import { buildRenderer } from "../dev-build.ts";
import { openReplica } from "../replica/open-replica.ts";
import { connectReplica } from "../sync/connect.ts";
import { windowAddress } from "./browser-window.ts";
import { createPeople, createSamples } from "./demo-content.ts";

const options = { port: { type: "string", default: "0" } } as const;

/** Runs the callback each time the user presses Enter. Does nothing if standard input is not a terminal. */
function onEnter(callback: () => void): void {
  if (!process.stdin.isTTY) return;
  process.stdin.on("data", callback);
  process.stdin.unref();
}

/** `carrel demo`: runs a temporary server with sample data, and a replica. */
export const demoCommand: CliCommand = {
  serves: true,
  help: `carrel demo [--port 0]

Starts a temporary server with three users, sample records with files, and a request. Also starts
a replica that is connected to it. Prints the addresses, passwords and tokens. The server uses a free port
unless --port is given. Ctrl-C removes everything.
`,
  async run(args) {
    const { values } = parseCommandLine(args, options);
    const port = parsePort(values.port);
    const folder = await mkdtemp(join(tmpdir(), "carrel-demo-"));
    const common = { environment: machineEnvironment(), log: createLog("warn") };
    const stopped = untilStopped();
    try {
      await buildRenderer((line) => process.stderr.write(`${line}\n`));
      const server = await openServer({
        ...common,
        dataDir: join(folder, "server"),
        hostName: "127.0.0.1",
        port,
        settings: defaultSettings,
      });
      const people = await createPeople(server.services);
      await createSamples(server.url, people);
      const replica = await openReplica({ ...common, dataDir: join(folder, "replica"), port: 0, startPaused: false });
      await connectReplica(replica.host.db, replica.engine, server.url, people.grace.token);
      const lines = Object.values(people).map(
        ({ username, password, token, does }) => `  ${username.padEnd(8)} ${password.padEnd(16)} ${token}  ${does}`,
      );
      const deskAddress = () => `Desk     ${windowAddress(replica.url, replica.guard.newCode())}\n`;
      process.stdout.write(
        [
          `Server   ${server.url} (sign in there with a name and password to use the app in the browser)`,
          "  name     password         token",
          ...lines,
          `${deskAddress()}         Opens the app of user grace. Works once, within a minute; press Enter for a new address.`,
          `         Its /api expects Authorization: Bearer ${replica.guard.secret}`,
          "Ctrl-C stops and removes everything.",
          "",
        ].join("\n"),
      );
      onEnter(() => process.stdout.write(deskAddress()));
      await stopped;
      await replica.close();
      await server.close();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
