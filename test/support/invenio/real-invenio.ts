import { type ChildProcess, execFile, spawn } from "node:child_process";
import { cpSync, openSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { freePort } from "../engines/free-port.ts";
import { startPostgres } from "../engines/postgres.ts";
import { findJava, installInvenio, installSearch, Missing, requireCommand } from "./install.ts";
import { invenioSettings, vocabularyFiles } from "./settings.ts";
import type { Account, SiteFile } from "./site-file.ts";

const run = promisify(execFile);
const patienceS = 900;

export interface RunningInvenio {
  site: SiteFile;
  /** Ends both web processes at once, as a crash does, and starts them again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** The processes of one server in one folder, ended in the reverse order of their start. */
class Processes {
  readonly folder: string;
  readonly #ends: (() => Promise<void>)[] = [];

  constructor(folder: string) {
    this.folder = folder;
  }

  onStop(end: () => Promise<void>): void {
    this.#ends.push(end);
  }

  /** Starts a program; what it says goes to a file of its name. */
  start(name: string, program: string, args: string[], env: NodeJS.ProcessEnv, cwd = this.folder): ChildProcess {
    const log = openSync(join(this.folder, `${name}.log`), "a");
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", log, log] });
    const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
    child.once("error", () => undefined);
    this.onStop(async () => {
      child.kill("SIGTERM");
      const killed = setTimeout(() => child.kill("SIGKILL"), 20_000);
      await ended;
      clearTimeout(killed);
    });
    return child;
  }

  async stop(): Promise<void> {
    for (const end of this.#ends.toReversed()) await end();
    await rm(this.folder, { recursive: true, force: true });
  }
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    (answer) => answer.ok,
    () => false,
  );

/** Asks once a second, because the worker loads the vocabularies at the same time. */
async function waitForAnswer(url: string): Promise<void> {
  for (let left = patienceS; !(await answers(url)); left--) {
    if (left === 0) throw new Missing(`${url} gave no answer within ${patienceS} s`);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

async function startRedis(processes: Processes): Promise<number> {
  await requireCommand("redis-server", "redis-server");
  const port = await freePort();
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", processes.folder];
  processes.start("redis", "redis-server", args, process.env);
  return port;
}

/** A single node without security. It refuses to run as root, who takes another id in a namespace of its own. */
async function startSearch(processes: Processes, print: (line: string) => void): Promise<number> {
  const java = findJava();
  const distribution = await installSearch(print);
  const home = join(processes.folder, "search");
  for (const name of ["data", "logs", "tmp"]) await mkdir(join(home, name), { recursive: true });
  cpSync(join(distribution, "config"), join(home, "config"), { recursive: true });
  const options = join(home, "config", "jvm.options");
  const kept = (await readFile(options, "utf8"))
    .split("\n")
    .filter((line) => !/logs\/|HeapDumpPath|^-Xm[sx]/.test(line));
  await writeFile(options, kept.join("\n"));
  const port = await freePort();
  const settings = {
    ...{ "path.data": join(home, "data"), "path.logs": join(home, "logs"), "discovery.type": "single-node" },
    ...{ "network.host": "127.0.0.1", "http.port": port, "transport.port": 0 },
    "cluster.routing.allocation.disk.threshold_enabled": "false",
  };
  const asOther =
    process.getuid?.() === 0 ? ["unshare", "--user", "--map-user=daemon", "--map-group=daemon", "--"] : [];
  const [program = "", ...args] = [...asOther, join(distribution, "bin", "opensearch")];
  const env = {
    ...process.env,
    ...{ OPENSEARCH_JAVA_HOME: java, OPENSEARCH_PATH_CONF: join(home, "config"), OPENSEARCH_TMPDIR: join(home, "tmp") },
    OPENSEARCH_JAVA_OPTS: "-Xms512m -Xmx512m",
  };
  processes.start(
    "search",
    program,
    [...args, ...Object.entries(settings).map(([key, value]) => `-E${key}=${value}`)],
    env,
    home,
  );
  const health = `http://127.0.0.1:${port}/_cluster/health?wait_for_status=yellow&timeout=1s`;
  await waitForAnswer(health);
  return port;
}

async function startDatabase(processes: Processes): Promise<string> {
  const postgres = await startPostgres();
  if (!postgres) throw new Missing("PostgreSQL is missing. Install Debian's postgresql-15.");
  processes.onStop(() => postgres.stop());
  const { address, drop } = await postgres.freshDatabase();
  processes.onStop(drop);
  return address;
}

/** Tables, indexes, vocabularies and people. Loading vocabularies needs the worker. */
async function fill(
  processes: Processes,
  bin: string,
  env: NodeJS.ProcessEnv,
  print: (line: string) => void,
): Promise<Account[]> {
  const invenio = async (...args: string[]) => {
    print(`invenio ${args.join(" ")}`);
    await run(join(bin, "invenio"), args, { env, cwd: processes.folder, maxBuffer: 2 ** 26 }).catch((error) => {
      throw new Missing(`invenio ${args.join(" ")} failed: ${String(error.stderr).trim().slice(-300)}`);
    });
  };
  await invenio("db", "create");
  await invenio("index", "init");
  await mkdir(join(processes.folder, "files"));
  await invenio("files", "location", "create", "--default", "main", join(processes.folder, "files"));
  const celery = ["-A", "invenio_app.celery"];
  processes.start("worker", join(bin, "celery"), [...celery, "worker", "-c", "1"], env);
  processes.start("beat", join(bin, "celery"), [...celery, "beat", "-s", join(processes.folder, "beat")], env);
  // The fixtures have an administrator, whose role they expect.
  await invenio("roles", "create", "admin");
  await invenio("rdm-records", "fixtures");
  await invenio("shell", fileURLToPath(new URL("people.py", import.meta.url)));
  return JSON.parse(await readFile(String(env.PEOPLE_OUT), "utf8"));
}

async function startAll(processes: Processes, print: (line: string) => void): Promise<RunningInvenio> {
  const bin = await installInvenio(print);
  const port = await freePort();
  const database = await startDatabase(processes);
  const redisPort = await startRedis(processes);
  const searchPort = await startSearch(processes, print);
  const instance = join(processes.folder, "instance");
  await mkdir(join(instance, "app_data", "vocabularies"), { recursive: true });
  await writeFile(join(instance, "invenio.cfg"), invenioSettings({ database, redisPort, searchPort, port }));
  for (const [name, text] of Object.entries(vocabularyFiles)) await writeFile(join(instance, "app_data", name), text);
  const env = {
    ...process.env,
    ...{ INVENIO_INSTANCE_PATH: instance, PEOPLE_OUT: join(processes.folder, "people.json") },
    PATH: `${bin}:${process.env.PATH}`,
  };
  const people = await fill(processes, bin, env, print);
  const web = ["-w", "2", "--threads", "2", "-k", "gthread", "-b", `127.0.0.1:${port}`, "--timeout", "900"];
  const startWeb = () =>
    processes.start("web", join(bin, "gunicorn"), [...web, "--keep-alive", "65", "invenio_app.wsgi:application"], env);
  let running = startWeb();
  const url = `http://127.0.0.1:${port}`;
  await waitForAnswer(`${url}/api/records?size=1`);
  // Vocabularies are loaded by the worker, after the command that asks for them.
  print("waits for the vocabularies");
  for (const entry of ["licenses/cc-by-4.0", "resourcetypes/dataset", "relationtypes/cites", "titletypes/other"])
    await waitForAnswer(`${url}/api/vocabularies/${entry}`);
  const restart = async () => {
    const ended = new Promise((resolve) => running.once("close", resolve));
    running.kill("SIGQUIT");
    await ended;
    running = startWeb();
    await waitForAnswer(`${url}/api/records?size=1`);
  };
  const search = `http://127.0.0.1:${searchPort}`;
  const site = { ...{ url, database, search, people }, taken: join(processes.folder, "taken") };
  return { site, restart, stop: () => processes.stop() };
}

/** Installs what is missing and starts a stock InvenioRDM 14 with its services on free ports, in a temporary folder. */
export async function startInvenio(print: (line: string) => void): Promise<RunningInvenio | { missing: string }> {
  const processes = new Processes(await mkdtemp(join(tmpdir(), "carrel-invenio-")));
  try {
    return await startAll(processes, print);
  } catch (error) {
    await processes.stop();
    if (error instanceof Missing) return { missing: error.message };
    throw error;
  }
}
