import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { superviseApi } from "../../main/desktop/api-process.ts";
import { forkedApi } from "../../main/desktop/spawn-api.ts";
import { FakeTimers, fakeSpawn } from "../support/fake-desktop.ts";

function supervised() {
  const { spawn, children } = fakeSpawn();
  const timers = new FakeTimers();
  const reported: string[] = [];
  const api = superviseApi(spawn, ["replica"], timers, {
    onReady: ({ url }) => reported.push(`ready ${url}`),
    onRestart: (reason) => reported.push(`restart ${reason}`),
    onFailed: (reason) => reported.push(`given up ${reason}`),
  });
  api.start();
  const last = () => {
    const child = children.at(-1);
    if (!child) throw new Error("Nothing was started.");
    return child;
  };
  return { api, timers, reported, children, last };
}

describe("the process of the API (ux 4)", () => {
  test("is ready when its line says so; other lines are not taken for it", () => {
    const { reported, last } = supervised();
    last().prints("Debugger attached");
    last().prints('{"event":"ready"}');
    expect(reported).toEqual([]);
    last().ready(4711);
    last().ready(4712);
    expect(reported).toEqual(["ready http://127.0.0.1:4711"]);
  });

  test("is started again after 0.5, 1 and 2 seconds, then given up with its last words", () => {
    const { reported, children, timers, last } = supervised();
    for (const delayMs of [500, 1000, 2000]) {
      const before = children.length;
      last().exits("ended with 1");
      timers.pass(delayMs - 1);
      expect(children).toHaveLength(before);
      timers.pass(1);
      expect(children).toHaveLength(before + 1);
    }
    last().logs('{"level":60,"msg":"The data folder is in use by process 12."}');
    last().exits("ended with 1");
    timers.pass(60_000);
    expect(children).toHaveLength(4);
    expect(reported.at(-1)).toBe("given up The data folder is in use by process 12.");
    expect(reported.filter((line) => line.startsWith("restart"))).toHaveLength(3);
  });

  test("that ran steadily for a minute has all its starts again", () => {
    const { reported, children, timers, last } = supervised();
    for (let round = 0; round < 6; round++) {
      last().ready(4711);
      timers.pass(61_000);
      last().exits("ended by SIGSEGV");
      timers.pass(500);
    }
    expect(children).toHaveLength(7);
    expect(reported.filter((line) => line.startsWith("given up"))).toEqual([]);
  });

  test("that is not ready in a minute is ended and started again", () => {
    const { reported, children, timers, last } = supervised();
    timers.pass(60_000);
    expect(last().received).toEqual(["kill"]);
    last().exits("ended by SIGKILL");
    timers.pass(500);
    expect(children).toHaveLength(2);
    expect(reported).toEqual(["restart It was not ready after 60 seconds."]);
  });

  test("is asked to end, given twelve seconds, then ended; it is not started again", async () => {
    const { api, reported, children, timers, last } = supervised();
    last().ready(4711);
    const stopped = api.stop();
    expect(last().received).toEqual(["stop"]);
    timers.pass(12_000);
    expect(last().received).toEqual(["stop", "kill"]);
    last().exits("ended by SIGKILL");
    await stopped;
    timers.pass(60_000);
    expect(children).toHaveLength(1);
    expect(reported).toEqual(["ready http://127.0.0.1:4711"]);
  });

  test("stopping while a new start is due starts nothing", async () => {
    const { api, children, timers, last } = supervised();
    last().exits("ended with 1");
    await api.stop();
    timers.pass(60_000);
    expect(children).toHaveLength(1);
  });

  test("a real child: its line is read, SIGTERM ends it", async () => {
    const folder = await mkdtemp(join(tmpdir(), "carrel-child-"));
    const entry = join(folder, "entry.mjs");
    const ready = { event: "ready", url: "http://127.0.0.1:1", pid: 1, token: "x".repeat(32) };
    await writeFile(
      entry,
      `process.on("SIGTERM", () => process.exit(0));
       process.stdout.write(${JSON.stringify(`${JSON.stringify(ready)}\n`)});
       setInterval(() => {}, 1000);`,
    );
    const timers = {
      nowMs: () => performance.now(),
      after(ms: number, work: () => void) {
        const timer = setTimeout(work, ms);
        return { cancel: () => clearTimeout(timer) };
      },
    };
    try {
      const url = await new Promise<string>((resolve, reject) => {
        const api = superviseApi(forkedApi(entry), [], timers, {
          onReady: (address) => void api.stop().then(() => resolve(address.url), reject),
          onRestart: (reason) => reject(new Error(reason)),
          onFailed: (reason) => reject(new Error(reason)),
        });
        api.start();
      });
      expect(url).toBe("http://127.0.0.1:1");
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
