import type { Logger } from "pino";
import {
  type CliCommand,
  parseCommandLine,
  parseLogLevel,
  parseOwnBaseUrl,
  parsePort,
  printJson,
  required,
  untilStopped,
} from "../../shared/kernel/command-line.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { UsageError } from "../../shared/kernel/usage-error.ts";
import type { Settings } from "../../shared/settings/settings.schema.ts";
import { isLoopback } from "../../shared/sync-protocol/connect.schema.ts";
import {
  optionOrVariable,
  parseBlobs,
  parseDatabase,
  parseDrain,
  parseSearch,
  parseTrustProxy,
  readSettings,
} from "../config.ts";
import { type MetricsPort, openMetricsPort } from "../metrics/metrics-port.ts";
import { serverMetrics } from "../metrics/server-metrics.ts";
import { openServer } from "../open-server.ts";
import { warnOfSettings } from "../settings-warnings.ts";

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
  drain: { type: "string" },
  "metrics-port": { type: "string" },
  "metrics-host": { type: "string", default: "127.0.0.1" },
  "log-level": { type: "string", default: "info" },
} as const;

/** `carrel server`: runs the server of a team. */
export const serverCommand: CliCommand = {
  serves: true,
  help: `carrel server --data DIR [--host 127.0.0.1] [--port 5000] [--base-url URL] [--config FILE]
              [--trust-proxy N|NETWORKS] [--shared] [--database URL] [--blobs URL] [--search URL]
              [--drain SECONDS] [--metrics-port N] [--metrics-host 127.0.0.1] [--log-level info]

Runs the server of a team. DIR is created on first use; --port 0 takes a free port.
Prints {"event":"ready","url":…,"pid":…} when it answers. SIGTERM or SIGINT stops it: it finishes the calls under way,
10 seconds at most. A second signal ends it at once. GET /readyz answers 200 while it may be sent calls, else 503.

  --base-url URL   start of all links, when the server is reached under another address. It has no path: the server
                   needs a host name of its own. An account at DataCite (datacite in FILE) needs it
  --config FILE    settings as JSON: site, smtp, sign_in, doi_prefix, datacite, custom_fields, … All are listed in
                   server/settings.md
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
  --drain SECONDS  how long a process that is asked to stop goes on answering, while /readyz says 503, so that the load
                   balancer learns of it. Default: 5 with --shared or --database, else 0
  --metrics-port N GET /metrics for Prometheus on a port of its own, at --metrics-host. It has no password: let nobody
                   but your monitoring reach it
`,
  async run(args) {
    const { values } = parseCommandLine(args, options);
    const drainSeconds = parseDrain(values.drain);
    const metricsText = values["metrics-port"];
    const metricsPort = metricsText === undefined ? undefined : parsePort(metricsText, "metrics-port");
    const metrics = metricsPort === undefined ? undefined : serverMetrics();
    const settings = readSettings(values.config);
    const proxies = values["trust-proxy"];
    if (proxies !== undefined) settings.trust_proxy = parseTrustProxy(proxies);
    const log = createLog(parseLogLevel(values["log-level"]));
    if (values["base-url"] === undefined) assertNoLinksOutside(settings, log);
    // The process answers before the server is open. A signal at that time must stop it in order, too.
    const stopped = untilStopped();
    const server = await openServer({
      dataDir: required(values.data, "data"),
      hostName: values.host,
      port: parsePort(values.port),
      ...(values["base-url"] === undefined ? {} : { baseUrl: parseOwnBaseUrl(values["base-url"]) }),
      settings,
      environment: machineEnvironment(),
      isTimedByDatabase: true,
      metrics,
      log,
      isShared: values.shared,
      database: optionOrVariable(parseDatabase, values.database, "CARREL_DATABASE"),
      blobs: optionOrVariable(parseBlobs, values.blobs, "CARREL_BLOBS"),
      search: optionOrVariable(parseSearch, values.search, "CARREL_SEARCH"),
    });
    let drainMs = 0;
    let scraped: MetricsPort | undefined;
    try {
      if (metrics) scraped = await openMetricsPort(metrics, values["metrics-host"], metricsPort ?? 0);
      await warnOfSettings(server.host, server.services.groups, log);
      printJson({ event: "ready", url: server.url, pid: process.pid, ...(scraped && { metrics: scraped.url }) });
      await Promise.race([stopped, server.damaged]);
      drainMs = 1000 * (drainSeconds ?? (server.host.abilities.sharesDatabase ? sharedDrainSeconds : 0));
    } finally {
      limitStop(drainMs, log);
      await server.close(drainMs);
      await scraped?.close();
    }
  },
};

/**
 * Without --base-url, links lead to this computer.
 * @throws UsageError if they would go to an agency, where everybody sees them for good.
 */
function assertNoLinksOutside({ datacite, smtp, trust_proxy }: Settings, log: Logger): void {
  if (datacite !== undefined && !isLoopback(new URL(datacite.url).hostname))
    throw new UsageError("With an account at DataCite, --base-url is needed. DOIs would lead to this computer.");
  if (smtp !== undefined || trust_proxy !== undefined)
    log.warn("in mail and behind a proxy, links of the server need --base-url");
}

/** With several processes, the load balancer needs this time to notice that one leaves. */
const sharedDrainSeconds = 5;
/** Calls under way have 10 s, uploads that are cut store their offset, work in the background ends. */
const stopMs = 30_000;

/** Ends the process at a second signal, or when stopping takes too long. Commits are durable, so none is lost. */
function limitStop(drainMs: number, log: Logger): void {
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => process.exit(1));
  const end = (): void => {
    log.error("the server could not stop in time and was ended");
    process.exit(1);
  };
  setTimeout(end, drainMs + stopMs).unref();
}
