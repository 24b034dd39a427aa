import {
  type CliCommand,
  parseCommandLine,
  parseLogLevel,
  parsePort,
  printJson,
  required,
  untilStopped,
} from "../../shared/kernel/command-line.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { UsageError } from "../../shared/kernel/usage-error.ts";
import { takeTokenKey } from "../desktop/spawn-api.ts";
import { ballastAmong } from "../replica/ballast.ts";
import { openReplica } from "../replica/open-replica.ts";
import { connectReplica, OutOfReach } from "../sync/connect.ts";

const options = {
  data: { type: "string" },
  host: { type: "string", default: "127.0.0.1" },
  port: { type: "string", default: "0" },
  server: { type: "string" },
  token: { type: "string" },
  offline: { type: "boolean", default: false },
  salvage: { type: "boolean", default: false },
  "log-level": { type: "string", default: "info" },
} as const;

const loopback = new Set(["127.0.0.1", "localhost", "::1"]);

/** `carrel replica`: one person's copy without a window. */
export const replicaCommand: CliCommand = {
  help: `carrel replica --data DIR [--port 0] [--server URL --token TOKEN] [--offline] [--salvage] [--log-level info]

Runs one person's copy of the library, with the same /api as the server, on this computer only.
Prints {"event":"ready","url":…,"pid":…,"token":…}; the token is new at each start.

  --server URL --token TOKEN   connects it; remembered in DIR
  --offline                    starts it paused; a server that cannot be reached yet is connected later
  --salvage                    sets a damaged database aside, saves unsent work, and fetches the rest again

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
    const replica = await openReplica({
      dataDir: required(values.data, "data"),
      port: parsePort(values.port),
      environment: machineEnvironment(),
      log: createLog(parseLogLevel(values["log-level"])),
      startPaused: values.offline,
      tokenKey: takeTokenKey(process.env),
      isSalvage: values.salvage,
      ballastBytes: ballastAmong(process.env),
    });
    const stopped = untilStopped();
    try {
      const { server, token } = values;
      if (server !== undefined && token !== undefined) {
        await connectReplica(replica.host.db, replica.engine, server, token).catch(async (error: unknown) => {
          if (!values.offline || !(error instanceof OutOfReach)) throw error;
          await replica.contact.wish(server, token);
        });
      }
      printJson({ event: "ready", url: replica.url, pid: process.pid, token: replica.door.secret });
      await Promise.race([stopped, replica.damaged]);
    } finally {
      await replica.close();
    }
  },
};
