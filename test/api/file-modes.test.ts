import { randomBytes } from "node:crypto";
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { cacheFolder } from "../../main/desktop/default-folders.ts";
import { openReplica } from "../../main/replica/open-replica.ts";
import { openServer } from "../../server/open-server.ts";
import { writeBackup } from "../../server/upkeep/backup.service.ts";
import { restoreBackup } from "../../server/upkeep/restore.service.ts";
import { migrations } from "../../shared/database/migrations/list.ts";
import { openConnection } from "../../shared/database/sqlite-driver.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { defaultSettings } from "../../shared/settings/settings.schema.ts";
import { startApi } from "../support/api.ts";
import { addFile, givenDraft } from "../support/files.ts";
import { runCarrel } from "../support/process.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "carrel-modes-"));
  await chmod(folder, 0o755);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
});

/** Files below a folder that other accounts can access, with their modes. */
async function openBelow(path: string, isReached = (_name: string) => true): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const below = join(path, entry.name);
    // A temporary file may have been removed.
    const mode = ((await stat(below).catch(() => undefined))?.mode ?? 0) & 0o777;
    if ((mode & 0o077) !== 0) found.push(`${entry.name} ${mode.toString(8)}`);
    else if (entry.isDirectory() && isReached(entry.name)) found.push(...(await openBelow(below, isReached)));
  }
  return found;
}

/** A data folder of an earlier version, created with a usual umask. */
async function givenOpenFolder(): Promise<void> {
  const file = join(folder, "carrel.sqlite");
  const old = openConnection(file);
  for (const step of migrations.slice(0, -1)) old.exec(step.sql);
  old.pragma(`user_version = ${migrations.length - 1}`);
  old.close();
  await chmod(file, 0o644);
  await mkdir(join(folder, "blobs", "ab"), { recursive: true });
  await writeFile(join(folder, "blobs", "ab", "bytes"), "bytes", { mode: 0o644 });
  await chmod(join(folder, "blobs"), 0o755);
  await writeFile(join(folder, "notes.txt"), "not Carrel's", { mode: 0o644 });
}

describe("in a folder that others may enter, files are closed to them (security 7)", () => {
  /** Earlier blobs keep their modes, in a folder that nobody else can enter. */
  const openToOthers = () => openBelow(folder, (name) => name !== "blobs");
  const common = { environment: machineEnvironment(), port: 0 };

  test.each(["server", "replica"] as const)(
    "a %s closes what it finds and what it makes, and says so",
    async (role) => {
      await givenOpenFolder();
      const lines: { level: number; files?: string[] }[] = [];
      const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
      const options = { ...common, dataDir: folder, log };
      const host =
        role === "server"
          ? await openServer({ ...options, hostName: "127.0.0.1", settings: defaultSettings })
          : await openReplica({ ...options, startPaused: true });
      try {
        expect(await openToOthers()).toEqual(["notes.txt 644"]);
        expect((await readdir(folder)).sort()).toEqual(
          expect.arrayContaining(["carrel.sqlite-shm", "carrel.sqlite-wal", `${role}.pid`]),
        );
        expect((await readdir(folder)).some((name) => name.endsWith(".backup"))).toBe(true);
      } finally {
        await host.close();
      }
      expect(lines.flatMap(({ files = [] }) => files).sort()).toEqual(["blobs", "carrel.sqlite"]);
      expect(await openToOthers()).toEqual(["notes.txt 644"]);
    },
  );

  test("uploads, blobs, a backup and its copy of the database", async () => {
    const api = await startApi("server");
    const alice = await api.as("alice");
    const draft = await givenDraft(alice);
    await addFile(alice, draft, "core.bin", randomBytes(5000));
    await alice.post(`/api/records/${draft}/draft/files`, [{ key: "begun.bin" }]);
    await alice.putBytes(`/api/records/${draft}/draft/files/begun.bin/content`, "begun");
    expect(await openBelow(api.dataDir)).toEqual([]);
    const [backup, restored] = [join(folder, "backup.zip"), join(folder, "restored")];
    const seen = new Set<string>();
    const writing = writeBackup(api.dataDir, backup);
    let isWritten = false;
    const watching = (async () => {
      while (!isWritten) for (const found of await openBelow(folder)) seen.add(found);
    })();
    await writing.finally(() => {
      isWritten = true;
    });
    await watching;
    await restoreBackup(backup, restored);
    expect([...seen, ...(await openBelow(folder))]).toEqual([]);
  });

  test("a command begins with umask 077, and keeps compiled code where only its account may write", async () => {
    const made = await runCarrel("users", "create", "--data", folder, "--username", "ada", "--email", "a@example.org");
    expect(made).toMatchObject({ code: 0 });
    expect(await readdir(folder)).toContain("carrel.sqlite");
    expect(await openBelow(folder)).toEqual([]);
    expect(cacheFolder("linux", {}, "/home/ada")).toBe("/home/ada/.cache/carrel/code");
  });
});

test("a replica's log of the last port and its held space are closed to others (security 7)", async () => {
  const options = { dataDir: folder, port: 0, environment: machineEnvironment(), log: createLog("silent") };
  const replica = await openReplica({ ...options, startPaused: true });
  expect(await readdir(folder)).toEqual(expect.arrayContaining(["ballast", "last-port"]));
  expect(await openBelow(folder)).toEqual([]);
  await replica.close();
});
