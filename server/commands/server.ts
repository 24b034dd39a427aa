import {
  type CliCommand,
  parseBaseUrl,
  parseCommandLine,
  parseLogLevel,
  parsePort,
  printJson,
  required,
  untilStopped,
} from "../../shared/kernel/command-line.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { readSettings } from "../config.ts";
import { openServer } from "../open-server.ts";

const options = {
  data: { type: "string" },
  host: { type: "string", default: "127.0.0.1" },
  port: { type: "string", default: "5000" },
  "base-url": { type: "string" },
  config: { type: "string" },
  "log-level": { type: "string", default: "info" },
} as const;

/** `carrel server`: the authority of a team. */
export const serverCommand: CliCommand = {
  help: `carrel server --data DIR [--host 127.0.0.1] [--port 5000] [--base-url URL] [--config FILE] [--log-level info]

Runs the server of a team. DIR is created on first use; --port 0 takes a free port.
Prints {"event":"ready","url":…,"pid":…} when it answers. SIGTERM or SIGINT stops it.

  --base-url URL   start of all links, when the server is reached under another address
  --config FILE    settings as JSON: doi_prefix, max_files, custom_fields, cors_origins, rate_limit, smtp, …
`,
  async run(args) {
    const { values } = parseCommandLine(args, options);
    const server = await openServer({
      dataDir: required(values.data, "data"),
      hostName: values.host,
      port: parsePort(values.port),
      ...(values["base-url"] === undefined ? {} : { baseUrl: parseBaseUrl(values["base-url"]) }),
      settings: readSettings(values.config),
      environment: machineEnvironment(),
      log: createLog(parseLogLevel(values["log-level"])),
    });
    const stopped = untilStopped();
    printJson({ event: "ready", url: server.url, pid: process.pid });
    try {
      await Promise.race([stopped, server.damaged]);
    } finally {
      await server.close();
    }
  },
};
