import { execFile } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { parseAllDocuments, parse as parseYaml } from "yaml";
import { z } from "zod";
import { serverCommand } from "../../server/commands/server.ts";
import { parseDrain, parseTrustProxy, readSettings } from "../../server/config.ts";
import { parseCommandLine, parsePort } from "../../shared/kernel/command-line.ts";
import { repository } from "../support/run.ts";

// No container engine is needed: what the files name must be in the program.

const execute = promisify(execFile);
const folder = join(repository, "server/deploy");
const read = (name: string): string => readFileSync(join(folder, name), "utf8");

/** Options of `carrel server`, as its help lists them. */
const options = new Set([...serverCommand.help.matchAll(/--([a-z-]+)/g)].map(([, name]) => name ?? ""));
/** Environment variables that the program reads itself. */
const variables = new Set(
  globSync("{server,main,shared}/**/*.ts", { cwd: repository }).flatMap((file) =>
    [...readFileSync(join(repository, file), "utf8").matchAll(/\b((?:CARREL|AWS|XDG|PG)_?[A-Z_]+)\b/g)].map(
      ([, name]) => name ?? "",
    ),
  ),
);

/** Checks the arguments of `carrel server` as the program would. */
function assertArguments(args: readonly string[]): void {
  expect(args[0]).toBe("server");
  const known = Object.fromEntries([...options].map((name) => [name, { type: "string" as const }]));
  const { values } = parseCommandLine(args.slice(1), known);
  parsePort(values.port ?? "");
  parsePort(values["metrics-port"] ?? "0", "metrics-port");
  parseDrain(values.drain);
  if (values["trust-proxy"] !== undefined) parseTrustProxy(values["trust-proxy"]);
}

const container = z.object({
  args: z.array(z.string()),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })),
  startupProbe: z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) }),
  readinessProbe: z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) }),
  livenessProbe: z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) }),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
});
const deployment = z.object({
  kind: z.literal("Deployment"),
  spec: z.object({
    template: z.object({
      spec: z.object({
        terminationGracePeriodSeconds: z.number(),
        containers: z.array(container),
        volumes: z.array(z.object({ name: z.string() })),
      }),
    }),
  }),
});
const service = z.object({ command: z.array(z.string()).optional(), environment: z.record(z.string(), z.string()) });
const compose = z.object({ services: z.record(z.string(), z.looseObject({})), volumes: z.record(z.string(), z.any()) });

describe("what server/deploy names is in the program (issue 19.5)", () => {
  test("the image runs the package of `npm run dist`, as another user, and is stopped by the signal that drains", () => {
    const text = read("Dockerfile");
    const packed = readFileSync(join(repository, "main/packaging/npm-package.ts"), "utf8");
    expect(packed, "the command").toContain("bin: { carrel:");
    expect(packed, "the place of the archive").toContain('join(root, "out/dist")');
    const [, list = ""] = /^CMD (\[.*\])$/m.exec(text) ?? [];
    assertArguments(z.array(z.string()).parse(JSON.parse(list)));
    expect(text).toMatch(/^USER node$/m);
    expect(text).toMatch(/^STOPSIGNAL SIGTERM$/m);
    expect(text).toContain("http://127.0.0.1:5000/ping");
    const engines = z.object({ engines: z.object({ node: z.string() }) });
    const { node } = engines.parse(JSON.parse(readFileSync(join(repository, "package.json"), "utf8"))).engines;
    expect(text).toContain(`FROM node:${node.replace(">=", "")}-`);
  });

  test("compose: two processes with the same options, and only variables that exist", () => {
    const { services, volumes } = compose.parse(parseYaml(read("compose.yaml"), { merge: true }));
    const [first, second] = [services["carrel-1"], services["carrel-2"]];
    expect(first).toEqual(second);
    const { command = [], environment } = service.parse(first);
    assertArguments(command);
    for (const name of Object.keys(environment)) expect(variables).toContain(name);
    for (const { volumes: used = [] } of Object.values(services) as { volumes?: string[] }[]) {
      for (const [place = ""] of used.map((text) => text.split(":"))) {
        if (place.startsWith(".")) expect(existsSync(join(folder, place)), place).toBe(true);
        else expect(Object.keys(volumes)).toContain(place);
      }
    }
  });

  test("Kubernetes: arguments, ports, probes and volumes fit together; the grace is longer than a stop", () => {
    const listed = z.object({ resources: z.array(z.string()) }).parse(parseYaml(read("kubernetes/kustomization.yaml")));
    const documents = listed.resources.flatMap((name) => parseAllDocuments(read(`kubernetes/${name}`)));
    for (const document of documents) expect(document.errors).toEqual([]);
    const found = documents.map((document) => deployment.safeParse(document.toJS())).find(({ success }) => success);
    const { terminationGracePeriodSeconds, containers, volumes } = deployment.parse(found?.data).spec.template.spec;
    const [one] = containers;
    if (!one) throw new Error("no container");
    assertArguments(one.args);
    const value = (name: string) => one.args.find((arg) => arg.startsWith(`--${name}=`))?.split("=")[1];
    const ports = Object.fromEntries(one.ports.map(({ name, containerPort }) => [name, String(containerPort)]));
    expect(ports).toEqual({ http: value("port"), metrics: value("metrics-port") });
    expect(one.readinessProbe.httpGet).toEqual({ path: "/readyz", port: "http" });
    for (const { httpGet } of [one.startupProbe, one.livenessProbe]) expect(httpGet.path).toBe("/ping");
    const named = volumes.map(({ name }) => name);
    for (const { name } of one.volumeMounts) expect(named).toContain(name);
    expect(one.volumeMounts.map(({ mountPath }) => mountPath)).toContain(`${value("data")}/secret.key`);
    expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(Number(value("drain")) + 30);
    expect(() => readSettings(join(folder, "kubernetes/settings.json"))).not.toThrow();
  });

  test("nginx and Caddy: polls, uploads and sockets pass; the limits of time fit those of the server", () => {
    const nginx = read("nginx.conf");
    const listening = readFileSync(join(repository, "shared/kernel/listen.ts"), "utf8");
    const seconds = (pattern: RegExp, text: string) => Number((pattern.exec(text)?.[1] ?? "").replaceAll("_", ""));
    const idle = seconds(/keepAliveTimeout: ([\d_]+)/, listening) / 1000;
    expect(seconds(/keepalive_timeout (\d+)s/, nginx), "below that of the server").toBeLessThan(idle);
    const wait = readFileSync(join(repository, "server/sync/sync.routes.ts"), "utf8");
    const poll = seconds(/wait: z\.coerce\.number\(\)\.min\(0\)\.max\((\d+)\)/, wait);
    expect(seconds(/proxy_read_timeout (\d+)s/, nginx), "above that of a poll").toBeGreaterThan(poll);
    expect(nginx).toContain("proxy_request_buffering off");
    expect(nginx).toMatch(/proxy_set_header Upgrade +\$http_upgrade/);
    expect(seconds(/keepalive (\d+)s/, read("Caddyfile"))).toBeLessThan(idle);
    expect(read("Caddyfile")).toContain("health_uri /readyz");
    const [, upstreams = ""] = /CARREL_UPSTREAMS: "([^"]+)"/.exec(read("compose.yaml")) ?? [];
    expect(upstreams.split(" ")).toEqual(["carrel-1:5000", "carrel-2:5000"]);
  });

  test("operations.md names metrics, options, variables, addresses and files that exist", () => {
    const text = readFileSync(join(repository, "server/operations.md"), "utf8");
    const measured = readFileSync(join(repository, "server/metrics/server-metrics.ts"), "utf8");
    const metrics = [...text.matchAll(/`((?:carrel|nodejs|process)_[a-z_]+)[{`]/g)].map(([, name]) => name ?? "");
    expect(metrics.length).toBeGreaterThan(10);
    for (const name of metrics) expect(measured).toContain(`"${name}"`);
    for (const [, name = ""] of text.matchAll(/`(?:carrel server )?--([a-z-]+)[ `]/g)) {
      if (name !== "help") expect(options).toContain(name);
    }
    for (const [, name = ""] of text.matchAll(/`((?:CARREL|AWS)_[A-Z_]+)`/g)) expect(variables).toContain(name);
    for (const [, name = ""] of text.matchAll(/`((?:deploy|test)\/[\w./@-]+)`/g)) {
      const place = name.startsWith("deploy/") ? join(repository, "server", name) : join(repository, name);
      expect(existsSync(place), name).toBe(true);
    }
  });

  test("systemd: the options exist, and the unit is sound and closed off", async () => {
    const unit = read("carrel@.service");
    const [, started = ""] = /^ExecStart=\S+carrel (.*) \$CARREL_OPTIONS$/m.exec(unit) ?? [];
    assertArguments(started.replace("%i", "5000").split(" "));
    for (const option of /CARREL_OPTIONS=(.*)$/m.exec(unit)?.[1]?.matchAll(/--([a-z-]+)/g) ?? [])
      expect(options).toContain(option[1]);
    if (!existsSync("/usr/bin/systemd-analyze")) {
      process.stderr.write("skipped: systemd-analyze is not installed, so systemd did not read the unit\n");
      return;
    }
    const place = await mkdtemp(join(tmpdir(), "carrel-unit-"));
    onTestFinished(() => rm(place, { recursive: true, force: true }));
    const file = join(place, "carrel@5000.service");
    await cp(join(folder, "carrel@.service"), file);
    await writeFile(file, (await readFile(file, "utf8")).replace(/\/usr\/local\/bin\/carrel/, "/bin/true"));
    const { stdout, stderr } = await execute("systemd-analyze", ["verify", file]);
    expect(stdout + stderr).not.toContain(file);
    const security = await execute("systemd-analyze", ["security", "--offline=true", "--no-pager", file]);
    const exposure = Number(/exposure level[^:]*: ([\d.]+)/.exec(security.stdout)?.[1]);
    expect(exposure, "of 10").toBeLessThan(2);
  });
});
