import { type ChildProcess, execFile, fork } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { HttpClient } from "./http-client.ts";
import { repository } from "./run.ts";

const cli = join(repository, "main/cli.ts");
const watched = ["--import", new URL("turn-watch.ts", import.meta.url).href];
const runFile = promisify(execFile);

/** A server process with one user. */
export interface BenchServer {
  url: string;
  pid: number;
  folder: string;
  token: string;
  client: HttpClient;
  /** Resident memory of the server in MB. */
  memoryMb(): Promise<number>;
  /** Longest block of the server's event loop during the work, in milliseconds of CPU time. */
  longestTurn(work: () => Promise<unknown>): Promise<number>;
  close(): Promise<void>;
}

/** Creates a user with a token in a server's data folder, which may be new. */
export async function createPersonIn(data: string, name: string): Promise<{ id: string; token: string }> {
  const person = ["--username", name, "--email", `${name}@example.org`, "--token", "bench"];
  const { stdout } = await runFile(process.execPath, [cli, "users", "create", "--data", data, ...person]);
  return JSON.parse(stdout);
}

function startServer(data: string): Promise<{ child: ChildProcess; url: string; pid: number }> {
  const child = fork(cli, ["server", "--data", data, "--port", "0"], { silent: true, execArgv: watched });
  // Drains the pipe, because a full one would block the server.
  child.stderr?.resume();
  return new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
    child.stdout?.once("data", (line) => resolve({ child, ...JSON.parse(String(line)) }));
  });
}

export async function memoryOf(pid: number): Promise<number> {
  try {
    const status = await readFile(`/proc/${pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    const { stdout } = await runFile("ps", ["-o", "rss=", "-p", String(pid)]);
    return Number(stdout) / 1024;
  }
}

async function longestTurnOf(child: ChildProcess, work: () => Promise<unknown>): Promise<number> {
  const reply = new Promise<number>((resolve, reject) => {
    child.once("message", (longest) => resolve(Number(longest)));
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
  child.send("begin");
  await work().finally(() => child.send("end"));
  return reply;
}

/** @param fill prepares the data folder; it gets the user's id. */
export async function startBenchServer(fill?: (data: string, userId: string) => Promise<void>): Promise<BenchServer> {
  const folder = await mkdtemp(join(tmpdir(), "carrel-bench-"));
  const data = join(folder, "server");
  const { id, token } = await createPersonIn(data, "ada");
  await fill?.(data, id);
  const { child, url, pid } = await startServer(data);
  return {
    url,
    pid,
    folder,
    token,
    client: new HttpClient(url, token),
    memoryMb: () => memoryOf(pid),
    longestTurn: (work) => longestTurnOf(child, work),
    async close() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A replica process of the server's user. */
export function startBenchReplica(
  data: string,
  server: Pick<BenchServer, "url" | "token">,
): Promise<{ child: ChildProcess; client: HttpClient }> {
  const connected = ["--server", server.url, "--token", server.token];
  const child = fork(cli, ["replica", "--data", data, ...connected, "--log-level", "error"], {
    silent: true,
    execArgv: [],
  });
  child.stderr?.pipe(process.stderr);
  return new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the replica ended with ${code}`)));
    child.stdout?.once("data", (line) => {
      const ready = JSON.parse(String(line));
      resolve({ child, client: new HttpClient(ready.url, ready.token) });
    });
  });
}

/** The server's peak memory above its present use during the work, in MB. */
export async function memoryDuring(server: BenchServer, work: () => Promise<unknown>): Promise<number> {
  const idle = await server.memoryMb();
  let highest = idle;
  let isDone = false;
  const watching = (async () => {
    while (!isDone) {
      highest = Math.max(highest, await server.memoryMb());
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  })();
  await work();
  isDone = true;
  await watching;
  return highest - idle;
}
