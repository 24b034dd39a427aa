import { expect, test } from "vitest";
import { oneProcessAtATime } from "../../server/job-lock.ts";
import { takeLock } from "../../shared/database/lock.repository.ts";
import { openDatabase } from "../../shared/database/open.ts";
import type { Host } from "../../shared/kernel/host.ts";

const never = new AbortController().signal;

test("of two processes one runs a job; a silent one loses its lock (issue 19, scale 8)", async () => {
  const { db, close } = openDatabase(":memory:");
  let now = 0;
  let ids = 0;
  const host = { db, now: () => now, newUuid: () => `holder-${++ids}`, abilities: { sharesDatabase: true } };
  const done: string[] = [];
  const gate = Promise.withResolvers<void>();
  const process = (name: string, work: () => Promise<void>) =>
    oneProcessAtATime(host as unknown as Host, "doi", async () => {
      done.push(name);
      await work();
    });
  const held = process("first", () => gate.promise)(never);
  const second = process("second", async () => {});
  await expect.poll(() => done).toEqual(["first"]);
  await second(never);
  expect(done).toEqual(["first"]);
  now += 61_000_000;
  await second(never);
  expect(done).toEqual(["first", "second"]);
  gate.resolve();
  await held;
  await second(never);
  expect(done).toEqual(["first", "second", "second"]);
  expect(await db.selectFrom("turn").selectAll().execute()).toEqual([]);
  await close();
});

test("a lock of a process whose clock was a year ahead is seized once its clock is right (issue 15)", async () => {
  const { db, close } = openDatabase(":memory:");
  const year = 365 * 86_400_000_000;
  let now = year;
  const host = { db, now: () => now, newUuid: () => String(now), abilities: { sharesDatabase: true } };
  await takeLock(db, { name: "job:doi", holder: "killed", now, until: now + 60_000_000 });
  let runs = 0;
  const work = oneProcessAtATime(host as unknown as Host, "doi", async () => {
    runs += 1;
  });
  await work(never);
  now = year - 30_000_000;
  await work(never);
  expect(runs, "its lease may be right").toBe(0);
  now = 0;
  await work(never);
  expect(runs).toBe(1);
  await close();
});
