import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildProgram } from "../dev-build.ts";

/** Path of the Electron program, if installed. It is never downloaded here. */
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
 * Runs the app in its own window until that is closed.
 * @returns false if Electron is missing, cannot start, or has no display.
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
