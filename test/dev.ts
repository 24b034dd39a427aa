import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, watch } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseCommandLine, parsePort, untilStopped } from "../shared/kernel/command-line.ts";
import { CarrelProcess, runCarrel } from "./support/process.ts";
import { repository } from "./support/run.ts";

const help = `usage: npm run dev [-- --port 5080] [--data .carrel-dev]

Runs a server, a replica connected to it, and the pages of the app. A changed page reloads by itself; a change below
server/, shared/ or main/ restarts the server and the replica. The data folder is kept between runs.

  --port N    port of the server; the pages take a free port
  --data DIR  where server and replica keep their data
`;

const { values } = parseCommandLine(process.argv.slice(2), {
  port: { type: "string", default: "5080" },
  data: { type: "string", default: join(repository, ".carrel-dev") },
  help: { type: "boolean", default: false },
});
const data = String(values.data);
const print = (line: string) => process.stdout.write(`${line}\n`);

/** The token of the one user, who is created at the first start. */
async function ownToken(): Promise<string> {
  const file = join(data, "user.json");
  if (!existsSync(file)) {
    await mkdir(data, { recursive: true, mode: 0o700 });
    const user = ["--username", "dev", "--email", "dev@example.org", "--token", "dev"];
    const { code, stdout, stderr } = await runCarrel("users", "create", "--data", join(data, "server"), ...user);
    if (code !== 0) throw new Error(stderr);
    await writeFile(file, stdout, { mode: 0o600 });
  }
  return JSON.parse(await readFile(file, "utf8")).token;
}

const vite = fileURLToPath(new URL("bin/vite.js", import.meta.resolve("vite/package.json")));

/** A server, a replica, and Vite with the pages, which finds the replica by its environment (`renderer/vite.config.ts`). */
class Processes {
  #running: CarrelProcess[] = [];
  #pages: ChildProcess | undefined;

  async start(token: string): Promise<void> {
    const server = this.#run(["server", "--data", join(data, "server"), "--port", String(parsePort(values.port))]);
    const { url } = await server.ready();
    const replica = this.#run(["replica", "--data", join(data, "replica"), "--server", url], { CARREL_TOKEN: token });
    const desk = await replica.ready();
    print(`Server   ${url}   user dev, token ${token}`);
    print(`Replica  ${desk.url}   Authorization: Bearer ${desk.token}`);
    const env = { ...process.env, CARREL_API: desk.url, CARREL_TOKEN: desk.token };
    const args = [vite, "--config", join(repository, "renderer/vite.config.ts"), "--clearScreen", "false"];
    this.#pages = spawn(process.execPath, args, { env, stdio: ["ignore", "inherit", "inherit"] });
  }

  async stop(): Promise<void> {
    const pages = this.#pages;
    this.#pages = undefined;
    if (pages && pages.exitCode === null) {
      const ended = new Promise((resolve) => pages.once("exit", resolve));
      pages.kill();
      await ended;
    }
    await Promise.all(this.#running.splice(0).map((one) => one.stop()));
  }

  #run(args: string[], env: Record<string, string> = {}): CarrelProcess {
    const one = new CarrelProcess([...args, "--log-level", "warn"], env);
    this.#running.push(one);
    return one;
  }
}

/** Calls back once after changes of the sources that the hosts run. One call ends before the next begins. */
function onSourceChange(restart: () => Promise<void>): void {
  let timer: NodeJS.Timeout | undefined;
  let last = Promise.resolve();
  const changed = (_event: string, file: string | null) => {
    if (!file?.endsWith(".ts")) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      last = last.then(restart).catch((error: unknown) => {
        print(`Not restarted: ${error}`);
      });
    }, 300);
  };
  for (const folder of ["server", "shared", "main"]) watch(join(repository, folder), { recursive: true }, changed);
}

async function main(): Promise<void> {
  const stopped = untilStopped();
  const token = await ownToken();
  const processes = new Processes();
  try {
    await processes.start(token);
    onSourceChange(async () => {
      print("Restarting …");
      await processes.stop();
      await processes.start(token);
    });
    await stopped;
  } finally {
    await processes.stop();
  }
}

if (values.help) process.stdout.write(help);
else {
  await main();
  process.exit(0);
}
