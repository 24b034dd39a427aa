import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { Connection } from "../../main/sync/connection.ts";
import { errorHandler } from "../../shared/kernel/error-handler.ts";
import { createLog } from "../../shared/kernel/log.ts";

const logged: string[] = [];

/** What a call is answered whose work fails with this code. */
async function answerTo(code: string): Promise<{ status: number; message: string }> {
  const app = express();
  app.get("/", () => {
    throw Object.assign(new Error(`${code}: /secret/path`), { code });
  });
  app.use(errorHandler(pino({ level: "error" }, { write: (line: string) => void logged.push(line) })));
  const server = createServer(app);
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return (await answer.json()) as { status: number; message: string };
}

test.each(["EMFILE", "EROFS", "EACCES", "EIO", "SQLITE_READONLY", "SQLITE_IOERR_WRITE", "SQLITE_CANTOPEN"])(
  "%s is no bug: clients try again later, and the operator finds the cause in the log",
  async (code) => {
    const answer = await answerTo(code);
    expect(answer).toMatchObject({ status: 503, message: expect.stringContaining("Try again later.") });
    expect(answer.message).not.toContain("/secret");
    expect(logged.pop()).toContain(code);
  },
);

test("a bug is a bug, and a full disk has its own answer", async () => {
  expect((await answerTo("ENOENT")).status).toBe(500);
  expect((await answerTo("ENOSPC")).status).toBe(507);
});

test("the status of a replica names the disk that cannot be used (hosts-and-sync 5)", () => {
  const upstreams = {
    welcome: () => Promise.reject(new Error("not called")),
    leftOpen: () => Promise.reject(new Error("not called")),
    notTakenOf: async () => [],
    open: () => {
      throw new Error("not called");
    },
  };
  const connection = new Connection({ random: () => 0, now: () => 0, log: createLog("silent"), upstreams });
  connection.failed(Object.assign(new Error("disk I/O error"), { code: "SQLITE_IOERR_WRITE" }));
  expect(connection.lastError).toMatch(/^The disk of this computer cannot be used at the moment\. Your work is kept/);
});
