import { spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { cli } from "../support/process.ts";
import { until } from "../support/until.ts";

/** A port that is free now. A process whose output nobody reads cannot say which one it took. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const taken = createServer().listen(0, "127.0.0.1", () => {
      const address = taken.address();
      taken.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

/** Starts a process that warns in its log, waits until it answers, and asks it to stop. */
async function served(command: "server" | "replica" | "demo", output: number | undefined): Promise<number | null> {
  const folder = mkdtempSync(join(tmpdir(), "carrel-output-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "config.json"), '{"trust_proxy":1}');
  const port = await freePort();
  const data = ["--data", join(folder, "data")];
  const more = {
    server: [...data, "--config", join(folder, "config.json")],
    replica: [...data, "--server", "http://127.0.0.1:9", "--token", "carrel_0", "--insecure", "--offline"],
    demo: [],
  }[command];
  const args = [cli, command, "--port", String(port), ...more];
  const child = spawn(process.execPath, args, { stdio: ["ignore", output ?? "pipe", output ?? "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  child.stdout?.destroy();
  child.stderr?.destroy();
  await until(() =>
    fetch(`http://127.0.0.1:${port}/api`).then(
      () => true,
      () => child.exitCode !== null,
    ),
  );
  child.kill("SIGTERM");
  return ended;
}

test.each(["server", "replica", "demo"] as const)(
  "a %s goes on when the reader of its output leaves",
  async (command) => {
    expect(await served(command, undefined)).toBe(0);
  },
);

test.runIf(process.platform === "linux").each(["server", "replica"] as const)(
  "a %s goes on when the disk of its log is full",
  async (command) => {
    const full = openSync("/dev/full", "w");
    onTestFinished(() => closeSync(full));
    expect(await served(command, full)).toBe(0);
  },
);
