import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { buildRenderer } from "./renderer-build.ts";

/** `npm start`: builds what is missing, then is `carrel desktop` with the same arguments. */
await buildRenderer((line) => process.stderr.write(`${line}\n`));
const cli = fileURLToPath(new URL("cli.ts", import.meta.url));
const child = spawn(process.execPath, [cli, "desktop", ...process.argv.slice(2)], { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
child.once("exit", (code, signal) => {
  process.exitCode = code ?? (signal ? 0 : 1);
});
