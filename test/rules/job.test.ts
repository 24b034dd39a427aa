import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startJob } from "../../shared/kernel/job.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A job whose runs end when the test says so. */
function controlled() {
  const runs: PromiseWithResolvers<void>[] = [];
  const error = vi.fn();
  let signal: AbortSignal | undefined;
  const job = startJob({
    name: "counting",
    everyMs: 1000,
    log: { error },
    work(stopping) {
      signal = stopping;
      runs.push(Promise.withResolvers<void>());
      return runs.at(-1)?.promise ?? Promise.resolve();
    },
  });
  return { job, runs, error, isStopping: () => signal?.aborted };
}

test("a job never overlaps itself, and calls during a run share the next one (structure 5)", async () => {
  const { job, runs } = controlled();
  await vi.advanceTimersByTimeAsync(5000);
  expect(runs.length, "the interval waits for the run under way").toBe(1);
  const both = [job.run(), job.run()];
  expect(runs.length).toBe(1);
  runs[0]?.resolve();
  await vi.waitUntil(() => runs.length === 2);
  runs[1]?.resolve();
  await Promise.all(both);
  expect(runs.length).toBe(2);
  await job.stop();
});

test("stopping waits for the run under way and starts no other (structure 5)", async () => {
  const { job, runs, isStopping } = controlled();
  void job.run();
  const next = job.run();
  let hasStopped = false;
  const stopped = job.stop().then(() => {
    hasStopped = true;
  });
  await vi.advanceTimersByTimeAsync(5000);
  expect({ hasStopped, isStopping: isStopping() }).toEqual({ hasStopped: false, isStopping: true });
  runs[0]?.resolve();
  await stopped;
  await next;
  await job.run();
  await vi.advanceTimersByTimeAsync(5000);
  expect(runs.length).toBe(1);
});

test("a failed run is told in the log, and the job goes on (structure 5)", async () => {
  const { job, runs, error } = controlled();
  const failure = new Error("disk full");
  const first = job.run();
  runs[0]?.reject(failure);
  await first;
  expect(error.mock.calls).toEqual([[{ err: failure }, "counting failed and will be tried again"]]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(runs.length).toBe(2);
  runs[1]?.resolve();
  await job.stop();
});
