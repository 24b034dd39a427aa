import {
  type CliCommand,
  parseCommandLine,
  parseLogLevel,
  parsePort,
  printJson,
  required,
} from "../../shared/kernel/command-line.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { UsageError } from "../../shared/kernel/usage-error.ts";
import { takeTokenKey } from "../desktop/spawn-api.ts";
import { ballastAmong } from "../replica/ballast.ts";
import type { RunningReplica } from "../replica/open-replica.ts";
import { runReplica } from "../replica/run-replica.ts";
import { connectReplica, OutOfReach } from "../sync/connect.ts";

const options = {
  data: { type: "string" },
  host: { type: "string", default: "127.0.0.1" },
  port: { type: "string", default: "0" },
  server: { type: "string" },
  token: { type: "string" },
  offline: { type: "boolean", default: false },
  salvage: { type: "boolean", default: false },
  "offer-salvage": { type: "boolean", default: false },
  "log-level": { type: "string", default: "info" },
} as const;

const loopback = new Set(["127.0.0.1", "localhost", "::1"]);

/** Connects to the server of the command line; one that cannot be reached yet is connected later with `--offline`. */
async function connect(
  replica: RunningReplica,
  { server, token, offline }: { server?: string | undefined; token?: string | undefined; offline: boolean },
): Promise<void> {
  if (server === undefined || token === undefined) return;
  await connectReplica(replica.host.db, replica.engine, server, token).catch(async (error: unknown) => {
    if (!offline || !(error instanceof OutOfReach)) throw error;
    await replica.contact.wish(server, token);
  });
}

/** `carrel replica`: one person's copy without a window. */
export const replicaCommand: CliCommand = {
  help: `carrel replica --data DIR [--port 0] [--server URL --token TOKEN] [--offline] [--salvage] [--log-level info]

Runs one person's copy of the library, with the same /api as the server, on this computer only.
Prints {"event":"ready","url":…,"pid":…,"token":…}; the token is new at each start.

  --server URL --token TOKEN   connects it; remembered in DIR
  --offline                    starts it paused; a server that cannot be reached yet is connected later
  --salvage                    sets a damaged database aside, saves unsent work, and fetches the rest again
  --offer-salvage              with a damaged database, offers that on the pages of the app

So that sending goes on when the disk is full, a hundredth of its free space is held, at most 256 MiB: another number
of MiB is set by the environment variable CARREL_BALLAST_MIB.
`,
  async run(args) {
    const { values } = parseCommandLine(args, options);
    if (!loopback.has(values.host))
      throw new UsageError("--host must be the loopback: a replica serves this computer only.");
    if ((values.server === undefined) !== (values.token === undefined)) {
      throw new UsageError("--server and --token go together.");
    }
    await runReplica({
      replica: {
        dataDir: required(values.data, "data"),
        port: parsePort(values.port),
        environment: machineEnvironment(),
        log: createLog(parseLogLevel(values["log-level"])),
        startPaused: values.offline,
        tokenKey: takeTokenKey(process.env),
        isSalvage: values.salvage,
        ballastBytes: ballastAmong(process.env),
      },
      offersSalvage: values["offer-salvage"],
      prepare: (replica) => connect(replica, values),
      onReachable: ({ url, door }) => printJson({ event: "ready", url, pid: process.pid, token: door.secret }),
    });
  },
};
