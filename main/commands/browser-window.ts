import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { privateFile } from "../../shared/kernel/private-files.ts";
import type { LocalGuard } from "../replica/local-guard.ts";

/** Opens a file. Other accounts of this computer can read these arguments. */
export type ShowFile = (file: string) => void;

/** Address that signs a new browser window in, once and within 60 seconds. */
export const windowAddress = (url: string, code: string): string => `${url}/#t=${code}`;

const page = (address: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="referrer" content="no-referrer">
    <meta http-equiv="refresh" content="0; url=${address}">
    <title>Carrel</title>
  </head>
  <body><a href="${address}" rel="noreferrer">Open Carrel</a></body>
</html>
`;

/**
 * Makes a folder that only this account may enter. Sandboxed browsers on Linux read neither /tmp nor hidden folders.
 */
function makeFolder(platform: NodeJS.Platform): string {
  const inHome = join(homedir(), "carrel-window-");
  const inTemporary = join(tmpdir(), "carrel-window-");
  if (platform !== "linux") return mkdtempSync(inTemporary);
  try {
    return mkdtempSync(inHome);
  } catch {
    // The account has no writable home folder.
    return mkdtempSync(inTemporary);
  }
}

/** Opens a file in its default program. */
const showFile: ShowFile = (file) => {
  const programs: Partial<Record<NodeJS.Platform, string>> = { darwin: "open", win32: "explorer" };
  const child = spawn(programs[process.platform] ?? "xdg-open", [file], { stdio: "ignore", detached: true });
  child.once("error", () => process.stderr.write("No browser could be opened. Open the address in a browser.\n"));
  child.unref();
};

/**
 * Opens a browser window that is signed in. Other accounts can read program arguments, so the one-time code is passed
 * in a private file. The file is removed once the code was used or has expired.
 * @returns removes the file, for the end of the program.
 */
export function openBrowserWindow(at: { url: string; guard: LocalGuard }, show: ShowFile = showFile): () => void {
  const folder = makeFolder(process.platform);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const file = join(folder, "carrel.html");
  const address = windowAddress(at.url, at.guard.newCode(remove));
  writeFileSync(file, page(address), { mode: privateFile, flag: "wx" });
  show(file);
  return remove;
}
