import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildProgram } from "../working-copy.ts";

/** Electron's program when its runtime is on this computer; it is never downloaded from here. */
function findElectron(): string | undefined {
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  const names: Record<string, string> = { darwin: "Electron.app/Contents/MacOS/Electron", win32: "electron.exe" };
  const name = names[process.platform] ?? "electron";
  try {
    const folder = override ?? join(dirname(createRequire(import.meta.url).resolve("electron/package.json")), "dist");
    const program = join(folder, name);
    return existsSync(program) ? program : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Runs the app in a window of its own until it is closed.
 * @returns false when there is no Electron here that could be started, or it needs a display that is not there.
 */
export async function startElectron(dataDir: string): Promise<boolean> {
  const program = findElectron();
  const entry = fileURLToPath(new URL("../../out/main/index.js", import.meta.url));
  const hasDisplay = process.platform !== "linux" || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  if (program === undefined || !hasDisplay) return false;
  await buildProgram((line) => process.stderr.write(`${line}\n`));
  const child = spawn(program, [entry, "--data", dataDir], { stdio: "inherit" });
  const code = await new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(null));
    child.once("exit", resolve);
  });
  if (code !== null) process.exitCode = code;
  return code !== null;
}
