import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import express, { type RequestHandler } from "express";
import { pino } from "pino";
import { afterEach, describe, expect, test } from "vitest";
import { type BodyLimits, readJson } from "../../shared/kernel/body.ts";
import { BodyBudget } from "../../shared/kernel/body-budget.ts";
import { errorHandler } from "../../shared/kernel/error-handler.ts";
import { openRequest, send, statusLine } from "../support/raw-request.ts";
import { until } from "../support/until.ts";

const mib = 1024 * 1024;
const logged: string[] = [];
let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  expect(logged.splice(0)).toEqual([]);
});

/** A server that does nothing but read bodies, each after `before`. */
async function startReader(
  limits: Partial<BodyLimits>,
  before: RequestHandler = (_req, _res, next) => next(),
): Promise<string> {
  const whole: BodyLimits = { most: 10 * mib, holder: null, budget: new BodyBudget(), ...limits };
  const app = express();
  app.post("/", before, async (req, res) => {
    await readJson(req, whole);
    res.end("read");
  });
  app.use(errorHandler(pino({ level: "error" }, { write: (line: string) => void logged.push(line) })));
  server = createServer(app);
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const post = (headers: Record<string, string>) => ({ method: "POST", path: "/", headers });

describe("JSON bodies are bounded in time (security 6)", () => {
  test("a body that arrives too slowly is answered 408, and the connection is closed", async () => {
    const socket = await openRequest(await startReader({ deadlineMs: 200 }), post({ "content-length": "1000" }));
    const beat = setInterval(() => socket.write(" "), 20);
    expect(await statusLine(socket)).toContain("408");
    await until(() => socket.closed);
    clearInterval(beat);
  });

  test("a body without end is answered 413 after a bounded number of bytes, and the connection is closed", async () => {
    const socket = await openRequest(await startReader({ most: 1000 }), post({ "transfer-encoding": "chunked" }));
    const chunk = Buffer.from(`10000\r\n${" ".repeat(65_536)}\r\n`);
    const answered = statusLine(socket);
    let sent = 0;
    while (!socket.destroyed && sent < 64 * mib) {
      sent += chunk.length;
      if (!socket.write(chunk)) await new Promise((resolve) => socket.once("drain", resolve).once("close", resolve));
    }
    expect(sent).toBeLessThan(64 * mib);
    expect((await answered) ?? "413").toContain("413");
  });

  test("a declared length far over the limit is answered 413 before anything is read", async () => {
    const socket = await openRequest(await startReader({ most: 1000 }), post({ "content-length": "99999999" }));
    expect(await statusLine(socket)).toContain("413");
    await until(() => socket.closed);
  });
});

test("a client that hangs up before its whole body was read is no error in the log (issue 15)", async () => {
  const states: string[] = [];
  let arrived = 0;
  const url = await startReader({}, async (req, res, next) => {
    arrived += 1;
    if (!req.destroyed) await new Promise((resolve) => req.once("close", resolve));
    setImmediate(() => states.push(`${req.complete ? "whole" : "part"}, ${res.statusCode}`));
    next();
  });
  for (const [index, sent] of ["{}", "{"].entries()) {
    const socket = await openRequest(url, post({ "content-length": "2" }));
    await send(socket, Buffer.from(sent));
    await until(() => arrived > index);
    socket.destroy();
    await until(() => states.length > index);
  }
  expect(states).toEqual(["whole, 400", "part, 400"]);
});

describe("JSON bodies are bounded in memory (security 6)", () => {
  const isDone = async (promise: Promise<unknown>): Promise<boolean> =>
    (await Promise.race([promise.then(() => "done"), new Promise((resolve) => setImmediate(resolve))])) === "done";

  test("one caller's bodies take a part of the room, all bodies together the whole", async () => {
    const budget = new BodyBudget();
    const first = await budget.reserve("ada", 10 * mib);
    const second = budget.reserve("ada", 10 * mib);
    expect(await isDone(second)).toBe(false);
    const others = await Promise.all(["b", "c", "d", "e", "f"].map((name) => budget.reserve(name, 10 * mib)));
    const last = budget.reserve("g", 10 * mib);
    expect(await isDone(last)).toBe(false);
    first();
    first();
    (await second)();
    (await last)();
    for (const release of others) release();
    await (await budget.reserve("h", 64 * mib))();
  });

  test("a caller who waits for their own share holds up nobody else", async () => {
    const budget = new BodyBudget();
    await budget.reserve("ada", 10 * mib);
    const own = budget.reserve("ada", 10 * mib);
    await budget.reserve("bob", 10 * mib);
    expect(await isDone(own)).toBe(false);
  });

  test("a body larger than one caller's part leaves the room of all others (security 6)", async () => {
    const budget = new BodyBudget();
    const large = await budget.reserve("ada", 64 * mib);
    const another = budget.reserve("bob", 64 * mib);
    for (const name of ["b", "c", "d", "e"]) await budget.reserve(name, 16 * mib);
    expect(await isDone(another)).toBe(false);
    large();
    (await another)();
  });

  test("without room for long the answer is 503 with Retry-After", async () => {
    const budget = new BodyBudget(20);
    await budget.reserve("ada", 60 * mib);
    const refused = budget.reserve("bob", 60 * mib);
    await expect(refused).rejects.toMatchObject({ status: 503, headers: { "Retry-After": "5" } });
  });

  test("the room is given back when the request is answered, or its connection is cut", async () => {
    const budget = new BodyBudget();
    const url = await startReader({ budget, holder: "ada" });
    const body = JSON.stringify("x".repeat(9 * mib));
    for (let round = 0; round < 4; round += 1) expect((await fetch(url, { method: "POST", body })).status).toBe(200);
    const socket = await openRequest(url, post({ "content-length": String(9 * mib) }));
    socket.write(Buffer.alloc(mib, " "));
    const another = () => budget.reserve("ada", 15 * mib);
    await until(async () => !(await isDone(another().then((release) => release()))), "a part of the body has room");
    socket.destroy();
    (await another())();
  });
});
