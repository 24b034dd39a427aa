import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Something that is built from sources: its settings for Vite, what it is made of, and a file that shows its age. */
interface Part {
  words: string;
  configs: string[];
  sources: string[];
  built: string;
}

const renderer: Part = {
  words: "the pages of the app",
  configs: ["renderer/vite.config.ts"],
  sources: ["renderer", "shared", "package-lock.json"],
  built: "out/renderer/index.html",
};

const program: Part = {
  words: "the program of the window",
  configs: ["main/vite.config.ts", "main/preload.config.ts"],
  sources: ["main", "server", "shared", "package-lock.json"],
  built: "out/main/index.js",
};

const here = fileURLToPath(new URL("..", import.meta.url));

/** When the newest file below was written, in milliseconds; undefined when the path does not exist. */
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

/** Whether the pages in `out/renderer` are missing or older than what they are made of. */
export const isRendererStale = (root: string): Promise<boolean> => isStale(renderer, root);

async function vite(config: string): Promise<void> {
  const bin = fileURLToPath(new URL("bin/vite.js", import.meta.resolve("vite/package.json")));
  const args = [bin, "build", "--config", config, "--logLevel", "warn"];
  const child = spawn(process.execPath, args, { cwd: here, stdio: ["ignore", 2, 2] });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
  if (code !== 0) throw new Error(`${config} could not be built (vite ended with ${code}).`);
}

async function build(part: Part, say: (line: string) => void): Promise<void> {
  const isWorkingCopy = part.configs.every((config) => existsSync(join(here, config)));
  if (!isWorkingCopy || !(await isStale(part, here))) return;
  say(`Building ${part.words} …`);
  for (const config of part.configs) await vite(config);
}

/** Builds the pages when they are stale, in a working copy; an installed Carrel brings them built. */
export const buildRenderer = (say: (line: string) => void): Promise<void> => build(renderer, say);

/** As `buildRenderer`, for what Electron runs. */
export const buildProgram = (say: (line: string) => void): Promise<void> => build(program, say);
