import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";

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

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "microsoft-edge"];
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

const notFound = "No Chromium found. Install one (Debian: apt-get install chromium) or name it in CARREL_CHROMIUM.";

/** The path for Playwright's configuration, which must load without a browser too: launching the sentence then fails. */
export const chromiumPath = (): string => findChromium() ?? notFound;

const mayInstall = () =>
  process.platform === "linux" && process.getuid?.() === 0 && existsSync("/etc/debian_version") && !findChromium();

/** Finds Chromium. If it is missing, installs it on Debian as root, and reports that. */
export function findOrInstallChromium(say: (line: string) => void): string {
  if (mayInstall()) {
    say("Browser tests: no Chromium here; installing Debian's package (apt-get install chromium) …");
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    execFileSync("apt-get", ["update", "-qq"], { env, stdio: ["ignore", "ignore", "inherit"] });
    const install = ["install", "-y", "-qq", "--no-install-recommends", "chromium"];
    execFileSync("apt-get", install, { env, stdio: ["ignore", "ignore", "inherit"] });
  }
  const path = findChromium();
  if (!path) throw new Error(notFound);
  say(`Browser tests: with ${path}`);
  return path;
}
