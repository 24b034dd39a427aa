import { fork } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repository } from "./run.ts";

export interface RunningApp {
  /** The address that is printed, with its one-time code: good for one window. */
  address: string;
  /** The origin alone. */
  url: string;
  stop(): Promise<void>;
}

/** `carrel desktop` as a person without Electron has it, on a new data folder, without opening a browser. */
export async function startApp(): Promise<RunningApp> {
  const folder = await mkdtemp(join(tmpdir(), "carrel-app-"));
  const child = fork(join(repository, "main/cli.ts"), ["desktop", "--no-open", "--data", folder], {
    cwd: repository,
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
    async stop() {
      child.kill("SIGTERM");
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
