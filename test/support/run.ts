import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export const repository = fileURLToPath(new URL("../..", import.meta.url));

interface RunOptions {
  env?: Record<string, string>;
  /** Passes the output on as it comes instead of keeping it. */
  live?: boolean;
}

/**
 * Runs a command of `node_modules/.bin` in the repository. npm scripts have that folder, and the Node of this
 * project, on their PATH. Windows finds the `.cmd` beside it only through a shell; no argument comes from outside.
 */
export function run(command: string, args: string[], { env = {}, live = false }: RunOptions = {}) {
  return new Promise<{ code: number; output: string }>((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: repository,
      env: { ...process.env, ...env },
      shell: process.platform === "win32",
      stdio: ["ignore", live ? "inherit" : "pipe", live ? "inherit" : "pipe"],
    });
    const chunks: Buffer[] = [];
    child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stderr?.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() }));
  });
}
