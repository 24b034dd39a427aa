import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A part that is built from sources: its Vite settings, its sources, and a built file whose age counts. */
interface Part {
  label: string;
  configs: string[];
  sources: string[];
  built: string;
}

const renderer: Part = {
  label: "the pages of the app",
  configs: ["renderer/vite.config.ts"],
  sources: ["renderer", "shared", "package-lock.json"],
  built: "out/renderer/index.html",
};

const program: Part = {
  label: "the desktop program",
  configs: ["main/vite.config.ts", "main/preload.config.ts"],
  sources: ["main", "server", "shared", "package-lock.json"],
  built: "out/main/index.js",
};

const here = fileURLToPath(new URL("..", import.meta.url));

/** Modification time of the newest file below a path, in milliseconds; undefined if the path does not exist. */
async function newestMs(path: string): Promise<number | undefined> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (!found?.isDirectory()) return found?.mtimeMs;
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const times = await Promise.all(files.map(async (file) => (await stat(file)).mtimeMs));
  return times.reduce((newest, time) => Math.max(newest, time), 0);
}

async function isStale({ sources, built }: Part, root: string): Promise<boolean> {
  const builtMs = await newestMs(join(root, built));
  if (builtMs === undefined) return true;
  const times = await Promise.all(sources.map((source) => newestMs(join(root, source))));
  return times.some((time) => time !== undefined && time > builtMs);
}

/** Whether the built pages are missing or older than their sources. */
export const isRendererStale = (root: string): Promise<boolean> => isStale(renderer, root);

async function vite(config: string): Promise<void> {
  const bin = fileURLToPath(new URL("bin/vite.js", import.meta.resolve("vite/package.json")));
  const args = [bin, "build", "--config", config, "--logLevel", "warn"];
  // A test runner's NODE_ENV would build React's and React Aria's code for tests, which draws lists without a window.
  const env = { ...process.env, NODE_ENV: "production" };
  const child = spawn(process.execPath, args, { cwd: here, env, stdio: ["ignore", 2, 2] });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
  if (code !== 0) throw new Error(`${config} could not be built (vite ended with ${code}).`);
}

async function build(part: Part, print: (line: string) => void): Promise<void> {
  const isFromSource = part.configs.every((config) => existsSync(join(here, config)));
  if (!isFromSource || !(await isStale(part, here))) return;
  print(`Building ${part.label} …`);
  for (const config of part.configs) await vite(config);
}

/** Builds the pages if they are stale. Does nothing in an installed Carrel, which has no sources. */
export const buildRenderer = (print: (line: string) => void): Promise<void> => build(renderer, print);

/** Like `buildRenderer`, for the Electron program. */
export const buildProgram = (print: (line: string) => void): Promise<void> => build(program, print);
