import { homedir } from "node:os";
import { join } from "node:path";

/** Default data folder: the operating system's place for user data. */
export function defaultDataFolder(platform: NodeJS.Platform, env: NodeJS.ProcessEnv, home = homedir()): string {
  if (platform === "darwin") return join(home, "Library", "Application Support", "Carrel", "library");
  if (platform === "win32") return join(env.APPDATA ?? join(home, "AppData", "Roaming"), "Carrel", "library");
  return join(env.XDG_DATA_HOME ?? join(home, ".local", "share"), "carrel");
}

/** Default folder for compiled code, which only this account may write. */
export function cacheFolder(platform: NodeJS.Platform, env: NodeJS.ProcessEnv, home = homedir()): string {
  if (platform === "darwin") return join(home, "Library", "Caches", "Carrel", "code");
  if (platform === "win32") return join(env.LOCALAPPDATA ?? join(home, "AppData", "Local"), "Carrel", "code");
  return join(env.XDG_CACHE_HOME ?? join(home, ".cache"), "carrel", "code");
}

/** The value of `--data DIR` or `--data=DIR`. */
export function dataFolderArgument(argv: readonly string[]): string | undefined {
  const at = argv.findIndex((argument) => argument === "--data" || argument.startsWith("--data="));
  const found = argv[at];
  if (found === undefined) return undefined;
  return found === "--data" ? argv[at + 1] : found.slice("--data=".length);
}
