import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openServer } from "../../server/open-server.ts";
import { type CliCommand, parseCommandLine, parsePort, untilStopped } from "../../shared/kernel/command-line.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { defaultSettings } from "../../shared/kernel/settings.ts";
import { openReplica } from "../replica/open-replica.ts";
import { connectReplica } from "../sync/connect.ts";
import { buildRenderer } from "../working-copy.ts";
import { createPeople, createSamples } from "./demo-content.ts";

const options = { port: { type: "string", default: "5000" } } as const;

/** `carrel demo`: a server with people and records, and a replica, to look around in. */
export const demoCommand: CliCommand = {
  help: `carrel demo [--port 5000]

Starts a throw-away server with three people, sample records with real files and a request,
and a replica that is connected to it. Prints addresses and sign-ins. Ctrl-C removes everything.
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
      process.stdout.write(
        [
          `Server   ${server.url}`,
          "  name     password         token",
          ...lines,
          `Desk     ${replica.url}/#t=${replica.door.newCode()}   (grace's, works once)`,
          `         its /api wants: Authorization: Bearer ${replica.door.secret}`,
          "Ctrl-C stops and removes everything.",
          "",
        ].join("\n"),
      );
      await stopped;
      await replica.close();
      await server.close();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
