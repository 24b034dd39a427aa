import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

test("the README's curl example works as printed", async () => {
  const readme = await readFile(`${root}README.md`, "utf8");
  const script = /## The same with curl alone[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme)?.[1];
  expect(script).toBeDefined();
  // A process group of its own, so that a failure leaves no process running.
  const shell = spawn("bash", ["--norc", "-euo", "pipefail", "-c", script ?? ""], { cwd: root, detached: true });
  let out = "";
  let words = "";
  shell.stdout.on("data", (chunk) => {
    out += chunk;
  });
  shell.stderr.on("data", (chunk) => {
    words += chunk;
  });
  const code = await new Promise((resolve) => shell.once("exit", resolve));
  if (code !== 0 && shell.pid !== undefined) process.kill(-shell.pid, "SIGTERM");
  expect({ code, words }).toEqual({
    code: 0,
    words: expect.stringMatching(/^\S+ had no data. A new server begins there.\n$/),
  });
  const [waiting, isPublished, bytes] = out.trim().split("\n");
  expect(Number(waiting)).toBe(3);
  expect(isPublished).toBe("true");
  expect(Number(bytes)).toBeGreaterThan(0);
});
