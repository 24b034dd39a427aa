import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { byTurns, judge } from "../bench/bench-case.ts";
import { measureDiskFloor } from "../support/disk-floor.ts";
import { measureThroughput } from "../support/load.ts";

const measured = { ours: 60, reference: 100, unit: "calls/s", against: "bare node:http" };

test("a reach is a bound on ours / reference", () => {
  expect(judge({ name: "x", reach: ">= 0.5" }, measured)).toMatchObject({ ratio: 0.6, isReached: true });
  expect(judge({ name: "x", reach: ">= 0.7" }, measured).isReached).toBe(false);
  expect(judge({ name: "x", reach: "<= 2" }, measured).isReached).toBe(true);
  expect(() => judge({ name: "x", reach: "fast" }, measured)).toThrow("reach must be");
});

test("medians of alternating runs: one slow round decides nothing", async () => {
  const ours = [10, 999, 12];
  const reference = [20, 22, 1];
  const next = (values: number[]) => async () => values.shift() ?? 0;
  expect(await byTurns(next(ours), next(reference))).toEqual({ ours: 12, reference: 20 });
});

test("the load generator counts each answer once, chunked or not, and tells failures", async () => {
  let received = 0;
  const server = createServer((req, res) => {
    received++;
    if (req.url === "/chunked") return void res.write("one", () => res.end("two"));
    res.writeHead(req.url === "/bad" ? 500 : 200).end("answer");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const options = { seconds: 0.2, connections: 2, headers: { Authorization: "Bearer x" } };
  try {
    for (const path of ["/plain", "/chunked"]) {
      received = 0;
      const { answers, failures, perSecond } = await measureThroughput(`${url}${path}`, options);
      expect({ path, answers, failures }).toEqual({ path, answers: received, failures: 0 });
      expect(perSecond).toBeGreaterThan(0);
    }
    const bad = await measureThroughput(`${url}/bad`, options);
    expect(bad.failures).toBe(bad.answers);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test("the disk floor is a rate, and leaves nothing behind", async () => {
  expect(await measureDiskFloor({ sizeBytes: 3_000_000 })).toBeGreaterThan(1_000_000);
});
