import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import { until } from "../until.ts";
import { freePort } from "./free-port.ts";

const run = promisify(execFile);
/** Where Debian keeps the programs of each version. */
const versions = "/usr/lib/postgresql";
const oldest = 15;

/** PostgreSQL refuses to run as root, who therefore takes another id in a namespace of its own. */
const asOther = process.getuid?.() === 0 ? ["unshare", "--user", "--map-user=daemon", "--map-group=daemon", "--"] : [];

export interface TestDatabase {
  address: string;
  drop(): Promise<void>;
}

export interface TestPostgres {
  /** Creates an empty database. */
  freshDatabase(): Promise<TestDatabase>;
  /** Ends the server at once, as a crash does, and starts it again; not offered for one that others started. */
  restart?(): Promise<void>;
  /** Copies the data. @returns what ends the server at once and promotes the copy as a standby that lacks what came since. */
  copyStandby?(): Promise<() => Promise<void>>;
  stop(): Promise<void>;
}

function findPrograms(): string | undefined {
  const found = existsSync(versions) ? readdirSync(versions).map(Number) : [];
  const [newest] = found.filter((version) => version >= oldest).sort((a, b) => b - a);
  const bin = newest === undefined ? undefined : join(versions, String(newest), "bin");
  return bin !== undefined && existsSync(join(bin, "postgres")) ? bin : undefined;
}

/** Whether tests on PostgreSQL can run. */
export const canStartPostgres = (): boolean =>
  Boolean(process.env.CARREL_TEST_DATABASE) || findPrograms() !== undefined;

async function canConnect(address: string): Promise<boolean> {
  const client = new Client({ connectionString: address });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function execute(address: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

const withName = (address: string, name: string): string => {
  const url = new URL(address);
  url.pathname = name;
  return url.href;
};

/** Creates a database like another one, to which nobody may be connected. */
async function createLike(server: string, template: string): Promise<TestDatabase> {
  const name = `carrel_test_${randomBytes(6).toString("hex")}`;
  await execute(server, `create database ${name} template ${template} encoding 'UTF8'`);
  return {
    address: withName(server, name),
    drop: () => execute(server, `drop database if exists ${name} with (force)`),
  };
}

/** A copy of a database of the same server. */
export const copyDatabase = (address: string): Promise<TestDatabase> =>
  createLike(withName(address, "postgres"), new URL(address).pathname.slice(1));

const onServer = (address: string, stop: () => Promise<void>): TestPostgres => ({
  freshDatabase: () => createLike(address, "template0"),
  stop,
});

async function start(bin: string, isDurable: boolean): Promise<TestPostgres> {
  const folder = await mkdtemp(join(tmpdir(), "carrel-postgres-"));
  const data = join(folder, "data");
  const call = (program: string, args: string[]): [string, string[]] => {
    const [first = program, ...rest] = [...asOther, program, ...args];
    return [first, rest];
  };
  const init = ["--pgdata", data, "--username=carrel", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8"];
  await run(...call(join(bin, "initdb"), [...init, "--no-instructions", "--no-sync"]));
  const port = await freePort();
  const loose = isDurable ? [] : ["fsync=off", "full_page_writes=off"];
  const settings = [...loose, "listen_addresses=127.0.0.1", "max_connections=300"];
  const options = ["-p", String(port), "-k", "", ...settings.flatMap((setting) => ["-c", setting])];
  const address = `postgres://carrel@127.0.0.1:${port}/postgres`;
  const begin = async (served = data) => {
    const server: ChildProcess = spawn(...call(join(bin, "postgres"), ["-D", served, ...options]), { stdio: "ignore" });
    const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
    await until(() => canConnect(address), "PostgreSQL answers");
    return async (signal: NodeJS.Signals) => {
      server.kill(signal);
      await ended;
    };
  };
  let end = await begin();
  const stop = async () => {
    // A fast shutdown ends open sessions.
    await end("SIGINT");
    await rm(folder, { recursive: true, force: true });
  };
  const restart = async () => {
    // An immediate shutdown: the next start recovers from the log.
    await end("SIGQUIT");
    end = await begin();
  };
  const copyStandby = async () => {
    const standby = join(folder, "standby");
    await end("SIGINT");
    await cp(data, standby, { recursive: true });
    await writeFile(join(standby, "standby.signal"), "");
    end = await begin();
    return async () => {
      await end("SIGQUIT");
      end = await begin(standby);
      await execute(address, "select pg_promote()");
    };
  };
  return { ...onServer(address, stop), restart, copyStandby };
}

/**
 * Starts Debian's PostgreSQL, or takes the one that `CARREL_TEST_DATABASE` names, whose user may create databases.
 * @param isDurable commits survive a crash of the server
 * @returns undefined where there is none, which is said on stderr.
 */
export async function startPostgres({ isDurable = false } = {}): Promise<TestPostgres | undefined> {
  const named = process.env.CARREL_TEST_DATABASE;
  if (named) return onServer(named, async () => {});
  const bin = findPrograms();
  if (bin) return start(bin, isDurable);
  process.stderr.write("SKIPPED: tests on PostgreSQL. Install Debian's postgresql-15, or set CARREL_TEST_DATABASE.\n");
  return undefined;
}
