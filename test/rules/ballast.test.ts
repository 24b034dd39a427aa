import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { Ballast, ballastAmong } from "../../main/replica/ballast.ts";

const mebibyte = 1024 * 1024;

test("what is held for a full disk grows to what is set, and is given back once (hosts-and-sync 7)", async () => {
  const folder = await mkdtemp(join(tmpdir(), "carrel-ballast-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "ballast");
  const size = async () => (await stat(file)).size / mebibyte;
  new Ballast(folder);
  expect(await size()).toBe(8);
  const ballast = new Ballast(folder, 24 * mebibyte);
  await vi.waitUntil(async () => (await size()) === 24, { timeout: 10_000 });
  const full = Object.assign(new Error("full"), { code: "SQLITE_FULL" });
  expect([ballast.giveBack(new Error("else")), ballast.giveBack(full), ballast.giveBack(full)]).toEqual([
    false,
    true,
    false,
  ]);
  await expect(size()).rejects.toThrow(/ENOENT/);
});

test("the most that is held: 256 MiB, or as set; anything else is a usage error (hosts-and-sync 7)", () => {
  expect(ballastAmong({})).toBe(256 * mebibyte);
  expect(ballastAmong({ CARREL_BALLAST_MIB: "64" })).toBe(64 * mebibyte);
  expect(() => ballastAmong({ CARREL_BALLAST_MIB: "much" })).toThrow("must be a number of MiB");
});
