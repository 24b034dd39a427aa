import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { basename, delimiter, join } from "node:path";

/** No sandbox, because root in a container has none. The other flags stop calls to the browser maker's servers. */
export const chromiumFlags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** A Chromium without windows, profiles and extensions: its windows open in a third of the processor time. */
const shell = "chromium-headless-shell";
const names = [shell, "chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "microsoft-edge"];
const commonPaths = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The system's browser: `CARREL_CHROMIUM`, else a common name on the PATH, else a common path. */
function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const onPath = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  const chosen = process.env.CARREL_CHROMIUM;
  return [...(chosen ? [chosen] : []), ...onPath, ...commonPaths].find(isExecutable);
}

const notFound =
  "No Chromium found. Install one (Debian: apt-get install chromium-headless-shell) or name it in CARREL_CHROMIUM.";

/** The path for Playwright's configuration, which must load without a browser too: launching the sentence then fails. */
export const chromiumPath = (): string => findChromium() ?? notFound;

const mayInstall = () => process.platform === "linux" && process.getuid?.() === 0 && existsSync("/etc/debian_version");

/** Installs a package of Debian as root. */
function install(name: string, print: (line: string) => void): void {
  print(`Browser tests: installing Debian's package ${name} (apt-get install ${name}) …`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const options = { env, stdio: ["ignore" as const, "ignore" as const, "inherit" as const] };
  execFileSync("apt-get", ["update", "-qq"], options);
  execFileSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", name], options);
}

/** Finds Chromium. On Debian as root, installs the headless shell if it is missing, else Chromium, and reports that. */
export function findOrInstallChromium(print: (line: string) => void): string {
  if (mayInstall() && !process.env.CARREL_CHROMIUM && basename(chromiumPath()) !== shell) {
    try {
      install(shell, print);
    } catch (error) {
      print(`It could not be installed: ${error instanceof Error ? error.message : String(error)}`);
      if (!findChromium()) install("chromium", print);
    }
  }
  const path = findChromium();
  if (!path) throw new Error(notFound);
  print(`Browser tests: with ${path}`);
  return path;
}
