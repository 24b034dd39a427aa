import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { openServer } from "../../server/open-server.ts";
import { writeBackup } from "../../server/upkeep/backup.service.ts";
import { checkData } from "../../server/upkeep/check.service.ts";
import type { Finding } from "../../server/upkeep/finding.ts";
import { restoreBackup } from "../../server/upkeep/restore.service.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { defaultSettings } from "../../shared/settings/settings.schema.ts";
import { startApi } from "../support/api.ts";
import { addFile, fileOf, givenDraft } from "../support/files.ts";
import { HttpClient } from "../support/http-client.ts";
import { run } from "../support/run.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "carrel-backup-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
});

const carrel = (...args: string[]) => run("node", ["main/cli.ts", ...args]);

const startServer = (dataDir: string, port = 0) =>
  openServer({
    dataDir,
    hostName: "127.0.0.1",
    port,
    settings: defaultSettings,
    environment: machineEnvironment(),
    log: createLog("error"),
  });

async function findings(dataDir: string, repair = false): Promise<Finding[]> {
  const all: Finding[] = [];
  for await (const finding of checkData(dataDir, repair)) all.push(finding);
  return all;
}

async function change(dataDir: string, statement: string): Promise<void> {
  const database = new SQLite(join(dataDir, "carrel.sqlite"));
  database.exec(statement);
  database.close();
}

/** The data folder of a stopped server with a draft and a file. */
async function givenData(): Promise<{ data: string; sha256: string; blob: string }> {
  const api = await startApi("server");
  const draft = await givenDraft(await api.as("alice"));
  const added = await addFile(await api.as("alice"), draft, "core.bin", randomBytes(5000));
  expect(added.status).toBe(200);
  const data = join(folder, "data");
  await writeBackup(api.dataDir, join(folder, "made.zip"));
  await restoreBackup(join(folder, "made.zip"), data);
  const { sha256 } = new SQLite(join(data, "carrel.sqlite")).prepare("select sha256 from blob").get() as {
    sha256: string;
  };
  return { data, sha256, blob: join(data, "blobs", sha256.slice(0, 2), sha256.slice(2, 4), sha256) };
}

describe("carrel backup, carrel restore (hosts-and-sync 1)", () => {
  test("consistent online backup (database and blobs) of a running server, and its reverse", async () => {
    const api = await startApi("server");
    const alice = await api.as("alice");
    const bytes = randomBytes(300_000);
    const draft = await givenDraft(alice);
    await addFile(alice, draft, "core.bin", bytes);
    const file = join(folder, "carrel.backup");
    const made = await carrel("backup", "--data", api.dataDir, file);
    expect(made, made.output).toMatchObject({ code: 0 });
    expect(JSON.parse(made.output)).toMatchObject({ event: "backup", blobs: 1, missing: [] });
    expect(await readdir(folder)).toEqual(["carrel.backup"]);
    const restored = await carrel("restore", file, "--data", join(folder, "new"));
    expect(restored, restored.output).toMatchObject({ code: 0 });
    const server = await startServer(join(folder, "new"));
    onTestFinished(() => server.close());
    const again = new HttpClient(server.url, (await api.person("alice")).token);
    expect((await again.get(`/api/records/${draft}/draft`)).body.metadata.title).toBe("Deep sea core");
    expect((await again.get(`${fileOf(draft, "core.bin")}/content`)).bytes.equals(bytes)).toBe(true);
    expect(await findings(join(folder, "new"))).toEqual([]);
  });

  test("of a running replica too", async () => {
    const api = await startApi("replica");
    const alice = await api.as("alice");
    const draft = await givenDraft(alice);
    await addFile(alice, draft, "core.bin", "from here");
    const source = api.dataDirOf("alice");
    const report = await writeBackup(source, join(folder, "mine.zip"));
    expect(report).toMatchObject({ blobs: 1, missing: [] });
    await restoreBackup(report.file, join(folder, "copy"));
    expect(await findings(join(folder, "copy"))).toEqual([]);
    expect(await findings(source)).toEqual([]);
  });

  test("a file that was damaged before the backup is named, and nothing else is lost with it", async () => {
    const { data, sha256, blob } = await givenData();
    const bytes = await readFile(blob);
    for (const damaged of [Buffer.concat([bytes.subarray(0, 4999), Buffer.from("x")]), bytes.subarray(0, 100)]) {
      await writeFile(blob, damaged);
      const file = join(folder, `of-${damaged.byteLength}.zip`);
      const made = await carrel("backup", "--data", data, file);
      expect(made).toMatchObject({ code: 0, output: expect.stringContaining(`"damaged":["${sha256}"]`) });
      expect(made.output).toContain(`The file content ${sha256} is damaged`);
      const target = join(folder, `from-${damaged.byteLength}`);
      const restored = await carrel("restore", file, "--data", target);
      expect(restored).toMatchObject({ code: 0, output: expect.stringContaining(`"damaged":["${sha256}"]`) });
      expect(await findings(target)).toEqual([{ what: `The blob ${sha256} is missing.` }]);
    }
  });

  test("a backup that is damaged in one file is restored without that file", async () => {
    const { data, sha256, blob } = await givenData();
    const file = join(folder, "spoilt.zip");
    await writeBackup(data, file);
    const [whole, content] = [await readFile(file), await readFile(blob)];
    const [from, name] = [whole.indexOf(content), whole.indexOf(`blobs/${sha256}`)];
    expect(from).toBeGreaterThan(name);
    for (const at of [from + 100, name - 30]) {
      const spoilt = Buffer.from(whole);
      spoilt.writeUInt8((spoilt[at] ?? 0) ^ 1, at);
      await writeFile(file, spoilt);
      const target = join(folder, `without-${at}`);
      const restored = await carrel("restore", file, "--data", target);
      expect(restored).toMatchObject({ code: 0, output: expect.stringContaining(`"damaged":["${sha256}"]`) });
      expect(restored.output).toContain(`The file content ${sha256} is damaged in the backup, and is left out.`);
      expect(await findings(target)).toEqual([{ what: `The blob ${sha256} is missing.` }]);
      expect(await readdir(join(target, "blobs", "uploads"))).toEqual([]);
    }
  });

  test("restores only into a folder that does not hold data already, and never half", async () => {
    const { data } = await givenData();
    const file = join(folder, "made.zip");
    const onto = await carrel("restore", file, "--data", data);
    expect(onto.code).toBe(1);
    expect(onto.output).toContain("already contains data");
    const cut = join(folder, "cut.zip");
    const bytes = await readFile(file);
    bytes.writeUInt8((bytes[600] ?? 0) ^ 1, 600);
    await writeFile(cut, bytes);
    await expect(restoreBackup(cut, join(folder, "half"))).rejects.toThrow(/damaged/);
    expect(await readdir(join(folder, "half"))).toEqual([]);
    await truncate(cut, 2000);
    await expect(restoreBackup(cut, join(folder, "half"))).rejects.toThrow("or only the beginning of one");
  });

  test("a restore that was interrupted is no library: no server starts on it, and it is restored again (hosts-and-sync 7)", async () => {
    await givenData();
    const target = join(folder, "interrupted");
    await mkdir(join(target, "blobs"), { recursive: true });
    await writeFile(join(target, "carrel.sqlite.restoring"), "half of it");
    const started = await carrel("server", "--data", target, "--port", "0");
    expect(started).toMatchObject({ code: 1, output: expect.stringContaining("was interrupted") });
    expect(existsSync(join(target, "carrel.sqlite"))).toBe(false);
    expect((await carrel("restore", join(folder, "made.zip"), "--data", target)).output).toContain("restored");
    expect(await findings(target)).toEqual([]);
  });

  test("a backup removes what a killed one of the same file left, and nothing else (hosts-and-sync 7)", async () => {
    const { data } = await givenData();
    const dead = spawnSync("true").pid;
    const kept = ["made.zip", `made.zip.${process.ppid}.partial`, `other.zip.${dead}.partial`, "made.zip.1.notes"];
    const left = [`made.zip.${dead}.partial`, `made.zip.${dead}.database`, `made.zip.${dead}.database-wal`];
    for (const name of [...kept, ...left].slice(1)) await writeFile(join(folder, name), "x");
    await writeBackup(data, join(folder, "made.zip"));
    expect((await readdir(folder)).toSorted()).toEqual(["data", ...kept].toSorted());
  });

  test("a backup replaces an earlier one, and no other file: not even the database it is made of (issue 17: carrel backup)", async () => {
    const { data } = await givenData();
    await writeBackup(data, join(folder, "made.zip"));
    const notes = join(folder, "notes.txt");
    await writeFile(notes, "what we measured, and where the samples are");
    for (const file of [notes, join(data, "carrel.sqlite"), folder]) {
      const refused = await carrel("backup", "--data", data, file);
      expect(refused).toMatchObject({ code: 1, output: expect.stringContaining("is not a backup of Carrel") });
    }
    expect(await readFile(notes, "utf8")).toContain("what we measured");
    expect(await findings(data)).toEqual([]);
  });

  test("usage errors exit 2, a folder without data 1", async () => {
    expect((await carrel("backup", "--data", join(folder, "none"))).code).toBe(2);
    expect((await carrel("restore", "x.zip")).code).toBe(2);
    const none = await carrel("backup", "--data", join(folder, "none"), join(folder, "x.zip"));
    expect(none).toMatchObject({ code: 1, output: expect.stringContaining("There is no Carrel data") });
    expect(existsSync(join(folder, "none"))).toBe(false);
  });
});

describe("carrel check (hosts-and-sync 1)", () => {
  test("prints what is wrong; exit 1 if anything is", async () => {
    const { data, sha256, blob } = await givenData();
    expect(await carrel("check", "--data", data)).toMatchObject({ code: 0 });
    const bytes = await readFile(blob);
    await writeFile(blob, Buffer.from(bytes).fill(0, 100, 200));
    const damaged = await carrel("check", "--data", data);
    expect(damaged.code).toBe(1);
    expect(damaged.output).toContain(`The content of the blob ${sha256} is damaged`);
    await rm(blob);
    expect((await findings(data)).map(({ what }) => what)).toEqual([`The blob ${sha256} is missing.`]);
    await writeFile(blob, bytes);
    expect(await findings(data)).toEqual([]);
  });

  test("search index and feed: --repair rebuilds them", async () => {
    const { data } = await givenData();
    const wrongs = [
      "delete from search_term where doc = (select doc from search_term limit 1)",
      "update search_text set c0 = 'something'",
      "update search_doc set is_live = 0",
      "delete from search_token",
      "delete from feed",
      "update setting set value = '1' where name = 'feed_head'",
    ];
    await change(data, "update search_doc set is_live = 0");
    const told = await carrel("check", "--data", data);
    expect(told).toMatchObject({ code: 1, output: expect.stringContaining("--repair mends what can be mended") });
    const mended = await carrel("check", "--data", data, "--repair");
    expect(mended).toMatchObject({ code: 0, output: expect.stringMatching(/1 problem was repaired in .*data\.\n$/) });
    for (const wrong of wrongs) {
      await change(data, wrong);
      expect(await findings(data), wrong).not.toEqual([]);
      const repaired = await findings(data, true);
      expect(
        repaired.every((finding) => finding.repaired !== undefined),
        wrong,
      ).toBe(true);
      expect(await findings(data), wrong).toEqual([]);
    }
  });

  test("what a killed process left is no fault; --repair never removes what something refers to", async () => {
    const { data, blob } = await givenData();
    await writeFile(join(data, "blobs", "uploads", "left-over"), "half");
    expect(await findings(data)).toMatchObject([{ isHarmless: true }]);
    await findings(data, true);
    expect(existsSync(blob)).toBe(true);
    expect(await carrel("check", "--data", data)).toMatchObject({ code: 0 });
  });

  test("a damaged database is explained in a message", async () => {
    const { data } = await givenData();
    const file = join(data, "carrel.sqlite");
    const bytes = await readFile(file);
    await writeFile(file, bytes.fill(7, 4096, 40_960));
    const checked = await carrel("check", "--data", data);
    expect(checked.code).toBe(1);
    expect(checked.output).toContain("damaged");
    // Also where a server looks at its version first, and without the place in the program (issue 17: carrel check).
    await writeFile(file, "no database");
    for (const command of ["check", "server"]) {
      const { code, output } = await carrel(command, "--data", data);
      expect({ code, output }).toMatchObject({
        code: 1,
        output: expect.stringContaining("is damaged (SQLITE_NOTADB)"),
      });
      expect(output).not.toContain(".ts:");
    }
  });
});
