import { homedir } from "node:os";
import { join } from "node:path";

/** Where a person's library lives when nothing else is said: the operating system's place for it. */
export function usualFolder(platform: NodeJS.Platform, env: NodeJS.ProcessEnv, home = homedir()): string {
  if (platform === "darwin") return join(home, "Library", "Application Support", "Carrel", "library");
  if (platform === "win32") return join(env.APPDATA ?? join(home, "AppData", "Roaming"), "Carrel", "library");
  return join(env.XDG_DATA_HOME ?? join(home, ".local", "share"), "carrel");
}

/** The folder that the arguments name: `--data DIR` or `--data=DIR`. */
export function folderAmong(argv: readonly string[]): string | undefined {
  const at = argv.findIndex((argument) => argument === "--data" || argument.startsWith("--data="));
  const found = argv[at];
  if (found === undefined) return undefined;
  return found === "--data" ? argv[at + 1] : found.slice("--data=".length);
}
