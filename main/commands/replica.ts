import {
  type CliCommand,
  parseCommandLine,
  parseLogLevel,
  parsePort,
  printJson,
  required,
} from "../../shared/kernel/command-line.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { secretOption } from "../../shared/kernel/secret-option.ts";
import { UsageError } from "../../shared/kernel/usage-error.ts";
import { takeTokenKey } from "../desktop/spawn-api.ts";
import { ballastAmong } from "../replica/ballast.ts";
import type { RunningReplica } from "../replica/open-replica.ts";
import { runReplica } from "../replica/run-replica.ts";
import { addressOf, InsecureAddress, ServerUnreachable, unencrypted } from "../sync/address.ts";
import { connectReplica } from "../sync/connect.ts";

const options = {
  data: { type: "string" },
  host: { type: "string", default: "127.0.0.1" },
  port: { type: "string", default: "0" },
  server: { type: "string" },
  token: { type: "string" },
  "token-file": { type: "string" },
  insecure: { type: "boolean", default: false },
  offline: { type: "boolean", default: false },
  salvage: { type: "boolean", default: false },
  "offer-salvage": { type: "boolean", default: false },
  "log-level": { type: "string", default: "info" },
} as const;

const loopback = new Set(["127.0.0.1", "localhost", "::1"]);

/** The address of a server. @throws UsageError */
function parseServer(text: string): string {
  try {
    return addressOf(text);
  } catch (error) {
    throw error instanceof Failure ? new UsageError(`--server: ${error.message}`) : error;
  }
}

/**
 * Connects to the server of the command line. With `--offline` it connects later if the server cannot be reached now.
 */
async function connect(
  replica: RunningReplica,
  {
    server,
    token,
    offline,
    insecure: isInsecureAllowed,
  }: { server?: string | undefined; token?: string | undefined; offline: boolean; insecure: boolean },
): Promise<void> {
  if (server === undefined || token === undefined) return;
  const { db } = replica.host;
  await connectReplica(db, replica.engine, server, token, { isInsecureAllowed }).catch(async (error: unknown) => {
    if (error instanceof InsecureAddress) {
      throw new Failure("invalid", `${unencrypted} Use an address that begins with https://, or add --insecure.`);
    }
    if (!offline || !(error instanceof ServerUnreachable)) throw error;
    await replica.contact.connectLater(server, token, isInsecureAllowed);
  });
}

/** `carrel replica`: runs a replica without a window. */
export const replicaCommand: CliCommand = {
  serves: true,
  help: `carrel replica --data DIR [--port 0] [--server URL --token-file FILE [--insecure]] [--offline] [--salvage]
               [--log-level info]

Runs one person's copy of the library, with the same /api as the server, on this computer only.
Prints {"event":"ready","url":…,"pid":…,"token":…}; the token is new at each start.

  --server URL                 connects it; remembered in DIR
  --token-file FILE            the token for it, on one line; - reads standard input. Else the environment variable
                               CARREL_TOKEN; --token TOKEN works too, but every local user can read it
  --insecure                   connects without encryption (http): others on the network can read and change everything
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
    const log = createLog(parseLogLevel(values["log-level"]));
    const dataDir = required(values.data, "data");
    const port = parsePort(values.port);
    const server = values.server === undefined ? undefined : parseServer(values.server);
    const isTokenNamed = values.token !== undefined || values["token-file"] !== undefined;
    const { value: token, warning } = secretOption({
      name: "token",
      argument: values.token,
      file: values["token-file"],
    });
    if (server === undefined ? isTokenNamed : token === undefined) {
      throw new UsageError("--server needs a token (--token-file or CARREL_TOKEN), and a token needs --server.");
    }
    if (warning !== undefined) log.warn(warning);
    await runReplica({
      replica: {
        dataDir,
        port,
        environment: machineEnvironment(),
        log,
        startPaused: values.offline,
        tokenKey: takeTokenKey(process.env),
        isSalvage: values.salvage,
        ballastBytes: ballastAmong(process.env),
      },
      offersSalvage: values["offer-salvage"],
      prepare: (replica) => connect(replica, { ...values, server, token }),
      onReachable: ({ url, guard }) => printJson({ event: "ready", url, pid: process.pid, token: guard.secret }),
    });
  },
};
