import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { errorHandler } from "../../shared/kernel/error-handler.ts";

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
