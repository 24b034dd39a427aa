import { spawn } from "node:child_process";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("..", import.meta.url));
const sources = ["renderer", "shared", "package-lock.json"];
const built = "out/renderer/index.html";

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

/** Whether the pages in `out/renderer` are missing or older than what they are made of. */
export async function isRendererStale(root: string): Promise<boolean> {
  const builtMs = await newestMs(join(root, built));
  if (builtMs === undefined) return true;
  const times = await Promise.all(sources.map((source) => newestMs(join(root, source))));
  return times.some((time) => time !== undefined && time > builtMs);
}

/** Builds the pages when they are stale, in a working copy; an installed Carrel brings them built. */
export async function buildRenderer(say: (line: string) => void): Promise<void> {
  if (!(await isRendererStale(repository))) return;
  say("Building the pages of the app …");
  const vite = fileURLToPath(new URL("bin/vite.js", import.meta.resolve("vite/package.json")));
  const args = [vite, "build", "--config", "renderer/vite.config.ts", "--logLevel", "warn"];
  const child = spawn(process.execPath, args, { cwd: repository, stdio: ["ignore", 2, 2] });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
  if (code !== 0) throw new Error(`The pages could not be built (vite ended with ${code}).`);
}
