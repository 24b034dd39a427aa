import { fork } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repository } from "./run.ts";
import { until } from "./until.ts";

export interface RunningApp {
  /** The printed address with its one-time code, valid for one window. */
  address: string;
  /** The file passed to the program that opens browsers. Only with `opensBrowser`. */
  shown(): Promise<string>;
  /** The origin. */
  url: string;
  stop(): Promise<void>;
}

/** Replaces the system's program that opens files, and records its arguments. */
async function fakeOpener(folder: string): Promise<NodeJS.ProcessEnv> {
  const script = `#!/bin/sh\nprintf '%s\\n' "$*" > '${join(folder, "shown")}.new'\nmv '${join(folder, "shown")}.new' '${join(folder, "shown")}'\n`;
  for (const name of ["xdg-open", "open"]) await writeFile(join(folder, name), script, { mode: 0o700 });
  return { ...process.env, PATH: `${folder}:${process.env.PATH}`, HOME: folder };
}

/** Runs `carrel desktop` without Electron on a new data folder. */
export async function startApp({ opensBrowser = false } = {}): Promise<RunningApp> {
  const folder = await mkdtemp(join(tmpdir(), "carrel-app-"));
  const how = opensBrowser ? "--browser" : "--no-open";
  const child = fork(join(repository, "main/cli.ts"), ["desktop", how, "--data", join(folder, "data")], {
    cwd: repository,
    env: await fakeOpener(folder),
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    execArgv: [],
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  let log = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    log += chunk.toString();
  });
  const address = await new Promise<string>((resolve, reject) => {
    let printed = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      const found = /(http:\/\/127\.0\.0\.1:\d+\/#t=\S+)\s/.exec(printed);
      if (found?.[1]) resolve(found[1]);
    });
    child.once("exit", (code) => reject(new Error(`The app ended with ${code}.\n${log}`)));
  });
  return {
    address,
    url: new URL(address).origin,
    async shown() {
      const file = join(folder, "shown");
      await until(() => existsSync(file));
      return (await readFile(file, "utf8")).trim();
    },
    async stop() {
      child.kill("SIGTERM");
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
