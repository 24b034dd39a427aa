import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { processes } from "./left-open.ts";

/** `npm test` names the bundled program, which starts faster. A single test runs the sources. */
export const cli = process.env.CARREL_PROGRAM ?? fileURLToPath(new URL("../../main/cli.ts", import.meta.url));

export interface Ready {
  url: string;
  pid: number;
  /** Only of a replica. */
  token?: string;
  /** Only of a server that measures. */
  metrics?: string;
}

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A `carrel` process. */
export class CarrelProcess {
  readonly #child: ChildProcess;
  #stdout = "";
  #stderr = "";
  readonly ended: Promise<Ended>;

  constructor(args: string[], env: Record<string, string> = {}, program = cli) {
    this.#child = fork(program, args, { silent: true, env: { ...process.env, ...env } });
    this.#child.stdout?.on("data", (chunk: Buffer) => {
      this.#stdout += chunk;
    });
    this.#child.stderr?.on("data", (chunk: Buffer) => {
      this.#stderr += chunk;
    });
    const left = { name: `carrel ${args.join(" ")}`, end: () => this.stop("SIGKILL") };
    processes.add(left);
    this.ended = new Promise((resolve) => {
      this.#child.once("close", (code) => {
        processes.delete(left);
        resolve({ code, stdout: this.#stdout, stderr: this.#stderr });
      });
    });
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** The ready line. @throws if the process ends without one. */
  async ready(): Promise<Ready> {
    return JSON.parse((await this.prints(/^(.+)\n/))[1] ?? "");
  }

  /** What the output says, once it says so. @throws if the process ends before. */
  async prints(words: RegExp): Promise<RegExpExecArray> {
    const line = new Promise<RegExpExecArray>((resolve) => {
      const look = () => {
        const found = words.exec(this.#stdout);
        if (found) resolve(found);
        else this.#child.stdout?.once("data", look);
      };
      look();
    });
    const end = this.ended.then((ended) => {
      throw new Error(`carrel ended with ${ended.code}: ${ended.stderr}`);
    });
    return Promise.race([line, end]);
  }

  /** Writes everything to standard input. */
  type(text: string): void {
    this.#child.stdin?.end(text);
  }

  /** Ends the process and waits for its exit. */
  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<Ended> {
    this.#child.kill(signal);
    return this.ended;
  }
}

/** Runs a command until it ends. */
export const runCarrel = (...args: string[]): Promise<Ended> => new CarrelProcess(args).ended;
