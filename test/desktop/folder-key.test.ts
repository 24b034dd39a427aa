import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { folderKey } from "../../main/desktop/folder-key.ts";
import { fakeKeyStore } from "../support/fake-desktop.ts";

test("the key of a folder is the same at each start, sealed for its account, and made anew elsewhere (architecture, Security frame)", async () => {
  const parent = await mkdtemp(join(tmpdir(), "carrel-key-"));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  const folder = join(parent, "library");
  const key = await folderKey(folder, fakeKeyStore("grace"));
  expect(key).toMatch(/^[\w-]{43}$/);
  expect(await folderKey(folder, fakeKeyStore("grace"))).toBe(key);
  expect(await readFile(join(folder, "token-key"), "utf8")).not.toContain(key);
  expect((await stat(join(folder, "token-key"))).mode & 0o777).toBe(0o600);
  const elsewhere = await folderKey(folder, fakeKeyStore("ada"));
  expect(elsewhere).toMatch(/^[\w-]{43}$/);
  expect(elsewhere).not.toBe(key);
});

test.each([
  ["there is none", fakeKeyStore(undefined)],
  ["it is locked", { ...fakeKeyStore("grace"), seal: () => Promise.reject(new Error("locked")) }],
])("without a key store there is no key, and nothing is written: %s", async (_why, store) => {
  const folder = await mkdtemp(join(tmpdir(), "carrel-key-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  expect(await folderKey(folder, store)).toBeUndefined();
  expect(await readdir(folder)).toEqual([]);
});
