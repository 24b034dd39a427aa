import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export const repository = fileURLToPath(new URL("../..", import.meta.url));

const signals = ["SIGINT", "SIGTERM"] as const;

interface RunOptions {
  env?: Record<string, string>;
  /** Streams the output instead of collecting it. */
  live?: boolean;
}

/**
 * Runs a command of `node_modules/.bin`. npm scripts have that folder and this project's Node on their PATH. Windows
 * needs a shell for `.cmd` files; no argument comes from outside.
 */
export function run(command: string, args: string[], { env = {}, live = false }: RunOptions = {}) {
  return new Promise<{ code: number; output: string }>((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: repository,
      env: { ...process.env, ...env },
      shell: process.platform === "win32",
      stdio: ["ignore", live ? "inherit" : "pipe", live ? "inherit" : "pipe"],
    });
    // Whoever ends this program by its id ends what it runs.
    const forward = (signal: NodeJS.Signals) => void child.kill(signal);
    for (const signal of signals) process.on(signal, forward);
    const chunks: Buffer[] = [];
    child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stderr?.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.once("error", reject);
    child.once("close", (code) => {
      for (const signal of signals) process.off(signal, forward);
      resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() });
    });
  });
}
