import { afterEach, expect, test, vi } from "vitest";
import { startEmbargoJob } from "../../server/embargo-job.ts";
import { createLog } from "../../shared/kernel/log.ts";

const micros = (time: string): number => Date.parse(time) * 1000;
afterEach(() => vi.useRealTimers());

test("embargoes are lifted at start, when their day has come by the server's clock, and every hour (records 7.1; hosts-and-sync 8)", async () => {
  vi.useFakeTimers({ now: Date.parse("2026-11-22T23:59:50Z") });
  const runs: string[] = [];
  const host = { now: () => Date.now() * 1000 };
  const liftAll = async () => runs.push(new Date().toISOString().slice(11, 19));
  const job = startEmbargoJob(host, { lift: async () => {}, liftAll }, createLog("silent"));
  await vi.advanceTimersByTimeAsync(9_000);
  expect(runs).toEqual(["23:59:50"]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(runs).toEqual(["23:59:50", "00:00:00"]);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(runs.slice(2)).toEqual(["01:00:00"]);
  host.now = () => micros("2027-01-01T00:30:00Z");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(runs.length, "the clock was put right").toBe(4);
  await job.stop();
});
