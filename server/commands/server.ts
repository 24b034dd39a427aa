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
import { parseBlobs, parseDatabase, parseSearch, parseTrustProxy, readSettings } from "../config.ts";
import { openServer } from "../open-server.ts";

const options = {
  data: { type: "string" },
  host: { type: "string", default: "127.0.0.1" },
  port: { type: "string", default: "5000" },
  "base-url": { type: "string" },
  config: { type: "string" },
  "trust-proxy": { type: "string" },
  shared: { type: "boolean", default: false },
  database: { type: "string" },
  blobs: { type: "string" },
  search: { type: "string" },
  "log-level": { type: "string", default: "info" },
} as const;

/** `carrel server`: runs the server of a team. */
export const serverCommand: CliCommand = {
  help: `carrel server --data DIR [--host 127.0.0.1] [--port 5000] [--base-url URL] [--config FILE]
              [--trust-proxy N|NETWORKS] [--shared] [--database URL] [--blobs URL]
              [--search URL] [--log-level info]

Runs the server of a team. DIR is created on first use; --port 0 takes a free port.
Prints {"event":"ready","url":…,"pid":…} when it answers. SIGTERM or SIGINT stops it.

  --base-url URL   start of all links, when the server is reached under another address
  --config FILE    settings as JSON: doi_prefix, max_files, custom_fields, cors_origins, rate_limit, smtp, …
  --trust-proxy N  behind N reverse proxies: takes the client's address and https from X-Forwarded-For and
                   X-Forwarded-Proto. Or name their NETWORKS: loopback,10.0.0.0/8. Only where no client reaches the
                   server directly, else it can claim any address (trust_proxy in FILE)
  --shared         one of several server processes of this computer on DIR, behind a load balancer. All need it, and
                   the same --base-url and --config
  --database URL   rows in PostgreSQL: postgres://user@host/name, for any number of server processes. DIR holds the
                   bytes, and remembers URL for all commands. CARREL_DATABASE may name it instead; a password belongs
                   there or into PGPASSWORD
  --blobs URL      bytes of files in a bucket: s3://bucket/prefix?endpoint=https://s3.example.org&region=us-east-1. The
                   database remembers URL for all processes and commands. CARREL_BLOBS may name it instead. The keys
                   come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY
  --search URL     searches records in OpenSearch: opensearch+http://host:9200/name or opensearch+https://…, for larger
                   sites. The index is built from the rows. CARREL_SEARCH may name it instead, with user:password@
`,
  async run(args) {
    const { values } = parseCommandLine(args, options);
    const settings = readSettings(values.config);
    const proxies = values["trust-proxy"];
    if (proxies !== undefined) settings.trust_proxy = parseTrustProxy(proxies);
    const log = createLog(parseLogLevel(values["log-level"]));
    if (settings.trust_proxy !== undefined && values["base-url"] === undefined) {
      log.warn("behind a proxy, links of the server need --base-url");
    }
    const server = await openServer({
      dataDir: required(values.data, "data"),
      hostName: values.host,
      port: parsePort(values.port),
      ...(values["base-url"] === undefined ? {} : { baseUrl: parseBaseUrl(values["base-url"]) }),
      settings,
      environment: machineEnvironment(),
      log,
      isShared: values.shared,
      database: parseDatabase(values.database ?? process.env.CARREL_DATABASE),
      blobs: parseBlobs(values.blobs ?? process.env.CARREL_BLOBS),
      search: parseSearch(values.search ?? process.env.CARREL_SEARCH),
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
