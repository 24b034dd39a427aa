import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { until } from "../until.ts";

const run = promisify(execFile);
const version = "3.8.0";
const oldestJava = 21;
const installMs = 300_000;
/** A busy machine takes a minute. */
const startMs = 240_000;
const heap = "512m";

/** A run of a minute spends more on the second compiler than it gains; a benchmark needs both. */
const firstCompilerOnly = " -XX:TieredStopAtLevel=1";

/** OpenSearch refuses to run as root, who therefore takes another id in a namespace of its own. */
const asOther = process.getuid?.() === 0 ? ["unshare", "--user", "--map-user=daemon", "--map-group=daemon", "--"] : [];

const cache = (): string => join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "carrel-engines");
const distribution = (): string => join(cache(), `opensearch-${version}`);

export interface TestOpenSearch {
  url: string;
  stop(): Promise<void>;
}

/** The first Java that can run it. */
function findJava(): string | undefined {
  const folder = "/usr/lib/jvm";
  const installed = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  return [...(process.env.JAVA_HOME ? [process.env.JAVA_HOME] : []), ...installed].find((home) => {
    const release = join(home, "release");
    const found = existsSync(release) ? /^JAVA_VERSION="(\d+)/m.exec(readFileSync(release, "utf8")) : undefined;
    return Number(found?.[1] ?? 0) >= oldestJava;
  });
}

const isOnPath = (program: string): boolean =>
  (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, program)));

/** What is missing to start it; undefined: nothing. */
function missing(): string | undefined {
  if (findJava() === undefined) return `Java ${oldestJava} or later`;
  if (existsSync(distribution())) return undefined;
  return ["mvn", "unzip"].find((program) => !isOnPath(program));
}

/** Whether tests on OpenSearch can run. */
export const canStartOpenSearch = (): boolean => Boolean(process.env.CARREL_TEST_SEARCH) || missing() === undefined;

const pom = `<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>carrel</groupId>
  <artifactId>opensearch</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>
    <dependency>
      <groupId>org.opensearch.distribution.integ-test-zip</groupId>
      <artifactId>opensearch</artifactId>
      <version>${version}</version>
      <type>zip</type>
    </dependency>
  </dependencies>
</project>
`;

/** Fetches the distribution from Maven Central, once. */
async function install(): Promise<void> {
  if (existsSync(distribution())) return;
  process.stderr.write(`Fetching OpenSearch ${version} from Maven Central (190 MB), once.\n`);
  await mkdir(cache(), { recursive: true });
  const folder = await mkdtemp(join(cache(), "tmp.tests-"));
  try {
    await writeFile(join(folder, "pom.xml"), pom);
    const copy = ["dependency:copy-dependencies", `-DoutputDirectory=${folder}`];
    await run("mvn", ["-q", "-B", "-f", join(folder, "pom.xml"), ...copy], { timeout: installMs });
    await run("unzip", ["-q", join(folder, `opensearch-${version}.zip`), "-d", folder], { timeout: installMs });
    await rename(join(folder, `opensearch-${version}`), distribution()).catch((error: unknown) => {
      // Another run was quicker.
      if (!existsSync(distribution())) throw error;
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no free port");
  return address.port;
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/_cluster/health?wait_for_status=yellow&timeout=1s`)).status === 200;
  } catch {
    return false;
  }
}

const settings = (folder: string, port: number): string[] => [
  `path.data=${join(folder, "data")}`,
  `path.logs=${join(folder, "logs")}`,
  "cluster.name=carrel-tests",
  "discovery.type=single-node",
  "network.host=127.0.0.1",
  `http.port=${port}`,
  "transport.port=0",
  "cluster.routing.allocation.disk.threshold_enabled=false",
  // The longest query of the contract has thousands of words, and parentheses a hundred deep.
  "indices.query.bool.max_clause_count=20000",
];

/** Makes the folder of a node: all nodes share the distribution, so each has its own configuration. */
async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "carrel-opensearch-"));
  for (const name of ["data", "logs", "tmp"]) await mkdir(join(folder, name));
  await cp(join(distribution(), "config"), join(folder, "config"), { recursive: true });
  const options = join(folder, "config", "jvm.options");
  const lines = (await readFile(options, "utf8")).split("\n");
  await writeFile(options, lines.filter((line) => !/logs\/|HeapDumpPath|^-Xm[sx]/.test(line)).join("\n"));
  return folder;
}

function launch(folder: string, port: number, isBrief: boolean): ChildProcess {
  const program = join(distribution(), "bin", "opensearch");
  const [first = program, ...rest] = [...asOther, program, ...settings(folder, port).map((line) => `-E${line}`)];
  return spawn(first, rest, {
    stdio: "ignore",
    env: {
      ...process.env,
      OPENSEARCH_JAVA_HOME: findJava(),
      OPENSEARCH_PATH_CONF: join(folder, "config"),
      OPENSEARCH_TMPDIR: join(folder, "tmp"),
      OPENSEARCH_JAVA_OPTS: `-Xms${heap} -Xmx${heap}${isBrief ? firstCompilerOnly : ""}`,
    },
  });
}

async function start(isBrief: boolean): Promise<TestOpenSearch> {
  await install();
  const folder = await makeFolder();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const node = launch(folder, port, isBrief);
  const ended = new Promise<void>((resolve) => node.once("exit", () => resolve()));
  // It must not outlive a run that fails.
  process.once("exit", () => node.kill("SIGKILL"));
  await until(async () => node.exitCode !== null || (await isReady(url)), "OpenSearch answers", startMs);
  if (node.exitCode !== null) throw new Error(`OpenSearch ended at its start; ${join(folder, "logs")} says why`);
  return {
    url,
    async stop() {
      node.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Starts OpenSearch, or takes the one that `CARREL_TEST_SEARCH` names.
 * @param options.isBrief it serves tests for some minutes, and its speed does not matter.
 * @returns undefined where it cannot be started, which is said on stderr.
 */
export async function startOpenSearch({ isBrief = false } = {}): Promise<TestOpenSearch | undefined> {
  const named = process.env.CARREL_TEST_SEARCH;
  if (named) return { url: named, stop: async () => {} };
  const lack = missing();
  if (lack === undefined) return start(isBrief);
  process.stderr.write(`SKIPPED: tests on OpenSearch. ${lack} is missing; or set CARREL_TEST_SEARCH.\n`);
  return undefined;
}
