import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startApi } from "../support/api.ts";
import { addFile, fileOf, givenDraft, must } from "../support/files.ts";
import { HttpClient } from "../support/http-client.ts";
import { CarrelProcess, runCarrel } from "../support/process.ts";
import { newReplica, pause, stateOf, synced, trayOf } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

/** A small disk that can be filled. Only root on Linux can create one. */
function mountSmallDisk(): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "carrel-full-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=48m", "tmpfs", folder], { stdio: "pipe" });
    return folder;
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
}

const disk = mountSmallDisk();
if (disk === undefined) process.stderr.write("disk full: not tested, since no small disk may be mounted here\n");

/** Fills the disk until the file is removed. */
function fill(folder: string): () => void {
  const filler = join(folder, "filler");
  const some = Buffer.alloc(1 << 16);
  try {
    for (;;) appendFileSync(filler, some);
  } catch {
    return () => rmSync(filler);
  }
}

/** A replica whose folder is on the small disk, connected to a server that is elsewhere, and the server's client. */
async function givenReplicaOnDisk(): Promise<{ ada: HttpClient; replica: HttpClient }> {
  const api = await startApi();
  const ada = await api.person("ada");
  const { url, guard } = await newReplica(undefined, disk);
  const replica = new HttpClient(url, guard.secret);
  must(await replica.post("/api/sync/connect", { server: api.server.url, token: ada.token }), 200);
  await synced(replica);
  return { ada: ada.client, replica };
}

test.skipIf(disk === undefined)(
  "a command on a read-only disk says which and what to do, without a stack trace",
  async () => {
    const folder = mountSmallDisk() ?? "";
    onTestFinished(() => {
      execFileSync("umount", [folder]);
      rmSync(folder, { recursive: true });
    });
    const data = join(folder, "server");
    await runCarrel("groups", "create", "--data", data, "--name", "physics");
    execFileSync("mount", ["-o", "remount,ro", folder]);
    const backup = join(tmpdir(), "carrel-of-read-only.zip");
    for (const command of [["check"], ["backup", backup], ["users", "list"]]) {
      const { code, stdout, stderr } = await runCarrel(...command, "--data", data);
      expect(code).toBe(1);
      const said = `${join(data, "carrel.sqlite")} cannot be written (SQLITE_CANTOPEN). Copy its folder to where it can be written, and use the copy.`;
      expect(`${stdout}${stderr}`.split("\n")[0]).toBe(said);
      expect(stderr).not.toContain("    at ");
      expect(stderr).not.toContain("--repair");
    }
    expect(existsSync(backup)).toBe(false);
  },
);

test.skipIf(disk === undefined)(
  "a replica starts on a full disk with what it reserved, and sends; without a reserve it says what to free (hosts-and-sync 7)",
  async () => {
    const folder = mountSmallDisk() ?? "";
    const api = await startApi();
    const ada = await api.person("ada");
    const data = join(folder, "replica");
    const start = () => new CarrelProcess(["replica", "--data", data, "--log-level", "fatal"]);
    const running = [start()];
    onTestFinished(async () => {
      for (const each of running) await each.stop("SIGKILL");
      execFileSync("umount", [folder]);
      rmSync(folder, { recursive: true });
    });
    const first = await running[0]?.ready();
    const replica = new HttpClient(first?.url ?? "", first?.token ?? "");
    must(await replica.post("/api/sync/connect", { server: api.server.url, token: ada.token }), 200);
    await synced(replica);
    await pause(replica);
    const id = await givenDraft(replica);
    await running[0]?.stop();
    fill(folder);

    const second = start();
    running.push(second);
    const { url, token } = await second.ready();
    const again = new HttpClient(url, token ?? "");
    must(await again.get(`/api/records/${id}/draft`), 200);
    expect((await again.post("/api/records", { metadata: { title: "During" } })).status).toBe(507);
    must(await again.post("/api/sync/resume"), 200);
    await until(async () => (await ada.client.get(`/api/records/${id}/draft`)).status === 200, "sent");
    await second.stop();

    rmSync(join(data, "ballast"), { force: true });
    rmSync(join(folder, "filler"));
    fill(folder);
    expect(await start().ended).toMatchObject({
      code: 1,
      stderr: `The disk with ${data} is full, so Carrel cannot start. Nothing was lost, and what was not sent waits there. Free at least 8 MiB on that disk and start again.\n`,
    });
  },
);

describe.skipIf(disk === undefined)("a full disk (hosts-and-sync 7)", () => {
  const folder = disk ?? "";
  const data = join(folder, "server");
  let server: CarrelProcess;
  let grace: HttpClient;
  let token: string;

  beforeAll(async () => {
    const card = ["--username", "grace", "--email", "grace@example.org", "--token", "test"];
    const created = await runCarrel("users", "create", "--data", data, ...card);
    server = new CarrelProcess(["server", "--data", data, "--port", "0", "--log-level", "fatal"]);
    const { url } = await server.ready();
    token = JSON.parse(created.stdout).token;
    grace = new HttpClient(url, token);
  });

  afterAll(async () => {
    await server.stop("SIGKILL");
    execFileSync("umount", [folder]);
    rmSync(folder, { recursive: true, force: true });
  });

  test("the write is answered 507 with a reason; nothing is half-written; reads go on; with free space, everything works", async () => {
    const { body } = await grace.post("/api/records", { metadata: { title: "Before" } });
    const path = `/api/records/${body.id}/draft`;
    await grace.post(`${path}/files`, [{ key: "large.bin" }]);
    const large = await grace.putBytes(`${path}/files/large.bin/content`, Buffer.alloc(60_000_000, 1));
    expect(large.status).toBe(507);
    expect(large.body.message).toMatch(/disk is full/i);
    expect((await grace.get(`${path}/files/large.bin`)).body.status).toBe("pending");

    const giveBack = fill(folder);
    let refused = { status: 0, message: "" };
    for (let attempt = 0; attempt < 200 && refused.status !== 507; attempt++) {
      const answer = await grace.post("/api/records", { metadata: { title: "During", version: "x".repeat(150) } });
      refused = { status: answer.status, message: answer.body.message };
    }
    expect(refused.status).toBe(507);
    expect(refused.message).toMatch(/full/);
    expect((await grace.get(path)).body.metadata.title).toBe("Before");
    expect(await grace.get("/healthz"), "cannot be written (hosts-and-sync 6)").toMatchObject({ status: 503 });
    expect(await grace.get("/readyz"), "reads go on, so calls still come (issue 15)").toMatchObject({ status: 200 });
    const command = await runCarrel("users", "create", "--data", data, "--username", "ada", "--email", "a@x.org");
    expect(command).toMatchObject({ code: 1, stderr: expect.stringMatching(/^The disk is full[^\n]*\n$/) });

    giveBack();
    expect((await grace.post("/api/records", { metadata: { title: "After" } })).status).toBe(201);
    expect((await grace.putBytes(`${path}/files/large.bin/content`, Buffer.alloc(1_000_000, 1))).status).toBe(200);
    expect((await grace.post(`${path}/files/large.bin/commit`)).body.status).toBe("completed");
  });

  test("a repair that the full disk stops says what it repaired (hosts-and-sync 1)", async () => {
    const leftOver = join(data, "blobs", "uploads", "left-over");
    writeFileSync(leftOver, "half");
    utimesSync(leftOver, 0, 0);
    const long = Array.from({ length: 20_000 }, (_, at) => `word${at}`).join(" ");
    must(await grace.post("/api/records", { metadata: { title: "Long", description: long } }), 201);
    const rows = new SQLite(join(data, "carrel.sqlite"));
    rows.exec("delete from search_token");
    rows.close();
    const giveBack = fill(folder);
    const refused = async () => (await grace.post("/api/records", { metadata: { title: "x".repeat(150) } })).status;
    for (let attempt = 0; attempt < 200 && (await refused()) !== 507; attempt++);
    const stopped = await runCarrel("check", "--data", data, "--repair");
    giveBack();
    expect(stopped).toMatchObject({
      code: 1,
      stderr: `The audit log of ${data} lacks an entry for 'data.repair': database or disk is full
The disk is full: 1 problem was repaired, and the rest was not. Free some space and try again.
`,
    });
    expect(await runCarrel("check", "--data", data, "--repair")).toMatchObject({ code: 0 });
  });

  test("the server's disk is full while a replica sends: nothing is lost or refused, all is sent when there is space", async () => {
    const { url, guard } = await newReplica();
    const replica = new HttpClient(url, guard.secret);
    must(await replica.post("/api/sync/connect", { server: grace.url, token }), 200);
    await synced(replica);
    const giveBack = fill(folder);
    const id = await givenDraft(replica);
    await addFile(replica, id, "core.bin", Buffer.alloc(2_000_000, 7));
    const status = async () => (await replica.get("/api/sync/status")).body;
    await until(async () => (await status()).last_error !== null, "the server said no");
    expect((await status()).last_error).toMatch(/^The disk of the server is full/);
    expect((await status()).pending).toBeGreaterThan(0);
    giveBack();
    await replica.post("/api/sync/run");
    await until(async () => (await stateOf(replica)) === "up_to_date", "sent");
    expect((await grace.get(`${fileOf(id, "core.bin")}/content`)).bytes).toHaveLength(2_000_000);
    expect(await trayOf(replica)).toEqual([]);
  });

  test("the replica's disk is full: 507 in words, reads go on, sending goes on; freed, everything works", async () => {
    const { ada, replica } = await givenReplicaOnDisk();
    await pause(replica);
    const id = await givenDraft(replica);
    await addFile(replica, id, "core.bin", Buffer.alloc(1_000_000, 7));
    const giveBack = fill(folder);
    const begun = { status: 0, text: "" };
    for (let attempt = 0; attempt < 200 && begun.status !== 507; attempt++) {
      Object.assign(
        begun,
        await replica.post("/api/records", { metadata: { title: "During", version: "x".repeat(150) } }),
      );
    }
    expect(begun).toMatchObject({ status: 507, body: { message: expect.stringMatching(/full/) } });
    expect((await replica.get(`/api/records/${id}/draft`)).status).toBe(200);
    await replica.delete("/api/records/abcde-fgh23/draft"); // what was given back is held again
    must(await replica.post("/api/sync/resume"), 200);
    const arrived = async () => (await ada.get(`${fileOf(id, "core.bin")}/content`)).status === 200;
    await until(arrived, "sending goes on");
    giveBack();
    await replica.post("/api/sync/run");
    must(await replica.post("/api/records", { metadata: { title: "After" } }), 201);
    await until(async () => (await stateOf(replica)) === "up_to_date", "all is sent");
    const titles = async (client: HttpClient) =>
      (await client.get("/api/user/records?size=300")).body.hits.hits
        .map((one: { metadata: { title: string } }) => one.metadata.title)
        .toSorted();
    expect(await titles(ada)).toEqual(await titles(replica));
    expect(await trayOf(replica)).toEqual([]);
  });

  test("the replica's disk is full while it fetches: its status says so; with free space, it continues (hosts-and-sync 5, 7)", async () => {
    const { ada, replica } = await givenReplicaOnDisk();
    const giveBack = fill(folder);
    const description = "long ".repeat(20_000);
    let made = 0;
    const isReported = async () => {
      must(await ada.post("/api/records", { metadata: { title: `Draft ${made++}`, description } }), 201);
      const { last_error: error, asks } = (await replica.get("/api/sync/status")).body;
      if (error !== null)
        expect([asks, error]).toEqual(["space", expect.stringMatching(/^The disk of this computer is full/)]);
      return error !== null;
    };
    await until(isReported, "the full disk is told");
    giveBack();
    await until(async () => (await replica.get("/api/user/records")).body.hits.total === made, "all is fetched");
    await synced(replica);
    expect((await replica.get("/api/sync/status")).body.asks).toBeUndefined();
  });
});
