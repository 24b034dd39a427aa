import { fork } from "node:child_process";
import { createInterface } from "node:readline";

/** The API process. Separate, so that queries and hashing never block a window. */
export interface ApiChild {
  onLine(listener: (line: string) => void): void;
  /** Log lines; the last ones explain a failure. */
  onLog(listener: (line: string) => void): void;
  /** Called once, after the process ended or failed to start. */
  onExit(listener: (reason: string) => void): void;
  /** Asks the process to finish its work and end. */
  stop(): void;
  /** Kills the process. */
  kill(): void;
}

/** Starts the `carrel` program with these arguments and the key for its token (`folder-key`). */
export type SpawnApi = (args: string[], tokenKey?: string) => ApiChild;

const keyName = "CARREL_TOKEN_KEY";

const environmentWith = (tokenKey: string | undefined): NodeJS.ProcessEnv =>
  tokenKey === undefined ? process.env : { ...process.env, [keyName]: tokenKey };

/** Takes the key out of the environment, so that child processes do not get it. */
export function takeTokenKey(environment: NodeJS.ProcessEnv): string | undefined {
  const key = environment[keyName];
  delete environment[keyName];
  return key;
}

const lines = (stream: NodeJS.ReadableStream | null, listener: (line: string) => void): void => {
  if (stream) createInterface({ input: stream }).on("line", listener);
};

/** A Node child process, for tests and without Electron. */
export const forkedApi =
  (entry: string): SpawnApi =>
  (args, tokenKey) => {
    const env = environmentWith(tokenKey);
    const child = fork(entry, args, { stdio: ["ignore", "pipe", "pipe", "ipc"], execArgv: [], env });
    return {
      onLine: (listener) => lines(child.stdout, listener),
      onLog: (listener) => lines(child.stderr, listener),
      onExit(listener) {
        child.once("error", (error) => listener(error.message));
        child.once("exit", (code, signal) => listener(signal ? `ended by ${signal}` : `ended with ${code}`));
      },
      stop: () => void child.kill("SIGTERM"),
      kill: () => void child.kill("SIGKILL"),
    };
  };

/** The used part of Electron's `UtilityProcess`. */
interface Utility {
  pid: number | undefined;
  stdout: NodeJS.ReadableStream | null;
  stderr: NodeJS.ReadableStream | null;
  once(event: "exit", listener: (code: number) => void): unknown;
  kill(): boolean;
}

type Fork = (
  entry: string,
  args: string[],
  options: { stdio: ["ignore", "pipe", "pipe"]; serviceName: string; env: NodeJS.ProcessEnv },
) => Utility;

/** Electron's utility process. `child_process.fork` does not work in a packaged app, whose binary runs no scripts. */
export const utilityApi =
  (forkUtility: Fork, entry: string): SpawnApi =>
  (args, tokenKey) => {
    const env = environmentWith(tokenKey);
    const child = forkUtility(entry, args, { stdio: ["ignore", "pipe", "pipe"], serviceName: "Carrel API", env });
    const { pid } = child;
    const kill = (): void => {
      const target = child.pid ?? pid;
      if (target !== undefined) process.kill(target, "SIGKILL");
    };
    return {
      onLine: (listener) => lines(child.stdout, listener),
      onLog: (listener) => lines(child.stderr, listener),
      onExit: (listener) => void child.once("exit", (code) => listener(`ended with ${code}`)),
      stop: () => void child.kill(),
      kill,
    };
  };
