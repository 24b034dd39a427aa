import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";

const cli = fileURLToPath(new URL("../../main/cli.ts", import.meta.url));

export interface Ready {
  url: string;
  pid: number;
  /** A replica's. */
  token?: string;
}

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A `carrel` process of its own. */
export class CarrelProcess {
  readonly #child: ChildProcess;
  #stdout = "";
  #stderr = "";
  readonly ended: Promise<Ended>;

  constructor(args: string[], env: Record<string, string> = {}) {
    this.#child = fork(cli, args, { silent: true, env: { ...process.env, ...env } });
    this.#child.stdout?.on("data", (chunk: Buffer) => {
      this.#stdout += chunk;
    });
    this.#child.stderr?.on("data", (chunk: Buffer) => {
      this.#stderr += chunk;
    });
    this.ended = new Promise((resolve) => {
      this.#child.once("close", (code) => resolve({ code, stdout: this.#stdout, stderr: this.#stderr }));
    });
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** The ready line. @throws when the process ends without one. */
  async ready(): Promise<Ready> {
    const line = new Promise<Ready>((resolve) => {
      const look = () => {
        const [first, rest] = this.#stdout.split("\n", 2);
        if (rest !== undefined && first) resolve(JSON.parse(first));
        else this.#child.stdout?.once("data", look);
      };
      look();
    });
    const end = this.ended.then((ended) => {
      throw new Error(`carrel ended with ${ended.code}: ${ended.stderr}`);
    });
    return Promise.race([line, end]);
  }

  /** Ends it and waits until it is gone. */
  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<Ended> {
    this.#child.kill(signal);
    return this.ended;
  }
}

/** Runs a command to its end. */
export const runCarrel = (...args: string[]): Promise<Ended> => new CarrelProcess(args).ended;
