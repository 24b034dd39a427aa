import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { databaseClock } from "../../server/database-clock.ts";
import { oneProcessAtATime } from "../../server/job-lock.ts";
import { openServer, type RunningServer } from "../../server/open-server.ts";
import { sweepServer } from "../../server/sweep-job.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { dayOf } from "../../shared/kernel/timestamps.ts";
import { defaultSettings } from "../../shared/settings/settings.schema.ts";
import { startPostgres } from "../support/engines/postgres.ts";
import { fileOf, filesOf, givenDraft, must } from "../support/files.ts";
import { HttpClient } from "../support/http-client.ts";
import { publishable } from "../support/reviews.ts";
import { givenUser, signedInBrowser, tokenFor } from "../support/sign-in.ts";

const hourMicros = 3_600_000_000;
const yearMicros = 365 * 24 * hourMicros;

const postgres = await startPostgres();
afterAll(() => postgres?.stop());

/** A log whose warnings can be read. */
function readableLog() {
  const lines: string[] = [];
  const log = createLog("silent");
  Object.assign(log, { warn: (_facts: unknown, words: string) => lines.push(words) });
  return { log, lines };
}

describe.skipIf(!postgres)("server processes whose machines' clocks are a year apart (issue 15)", () => {
  const servers: RunningServer[] = [];
  const warned: string[][] = [];
  beforeAll(async () => {
    const database = await postgres?.freshDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), "carrel-clocks-"));
    for (const aheadMicros of [0, yearMicros, -yearMicros]) {
      const machine = machineEnvironment();
      const environment = { ...machine, now: () => machine.now() + aheadMicros };
      const { log, lines } = readableLog();
      warned.push(lines);
      servers.push(
        await openServer({
          ...{ dataDir, hostName: "127.0.0.1", port: 0, settings: defaultSettings, environment, log, isShared: true },
          ...{ database: database?.address, baseUrl: "http://127.0.0.1", isTimedByDatabase: true },
        }),
      );
    }
    return async () => {
      await Promise.all(servers.map((server) => server.close()));
      await database?.drop();
      await rm(dataDir, { recursive: true, force: true });
    };
  });

  const at = (index: number): RunningServer => servers[index] as RunningServer;
  async function people(name: string): Promise<HttpClient[]> {
    await givenUser(at(0), name);
    const { token } = await tokenFor(at(0), name, { scopes: ["read", "write"] });
    return servers.map(({ url }) => new HttpClient(url, token));
  }

  test("each says which machine is off, and all go by the database's time", async () => {
    expect(warned.map((lines) => lines.filter((line) => line.includes("clock")).length)).toEqual([0, 1, 1]);
    const right = machineEnvironment();
    for (const { host } of servers) expect(Math.abs(host.now() - right.now())).toBeLessThan(60_000_000);
  });

  test("nobody is signed out: a session of one process is one of all", async () => {
    for (const [index, server] of servers.entries()) {
      await givenUser(server, `user${index}`);
      const { cookie } = await signedInBrowser(server, `user${index}`);
      for (const { url } of servers) {
        const { status } = await fetch(`${url}/api/me`, { headers: { cookie } });
        expect(status).toBe(200);
      }
    }
  });

  test("a job runs in one process at a time, and an answer by Idempotency-Key is one answer", async () => {
    let open = 0;
    let most = 0;
    let ended = 0;
    const othersEnded = Promise.withResolvers<void>();
    const work = async () => {
      open += 1;
      most = Math.max(most, open);
      if (open > 1) othersEnded.resolve();
      await othersEnded.promise;
      open -= 1;
    };
    const runs = servers.map(async ({ host }) => {
      await oneProcessAtATime(host, "two clocks", work)(new AbortController().signal);
      ended += 1;
      if (ended === servers.length - 1) othersEnded.resolve();
    });
    await Promise.all(runs);
    expect(most).toBe(1);
    const clients = await people("ida");
    const once = { headers: { "idempotency-key": "create" } };
    const ids = [];
    for (const client of clients)
      ids.push(must(await client.post("/api/records", { metadata: {} }, once), 201).body.id);
    expect(new Set(ids).size).toBe(1);
  });

  test("times increase, the feed has its order, and an upload goes on elsewhere though a process sweeps", async () => {
    const clients = await people("ada");
    const [first] = clients as [HttpClient];
    const id = await givenDraft(first);
    const { cursor } = must(await first.get("/api/sync/changes"), 200).body;
    const updated = [];
    for (const client of [...clients, ...clients])
      updated.push(
        must(await client.put(`/api/records/${id}/draft`, { ...publishable(), files: { enabled: true } }), 200).body
          .updated,
      );
    expect(updated).toEqual([...updated].sort());
    const { changes } = must(await first.get(`/api/sync/changes?cursor=${cursor}`), 200).body;
    expect(changes.map(({ kind }: { kind: string }) => kind)).toContain("family");
    must(await first.post(filesOf(id), [{ key: "core.bin" }]), 201);
    const content = `${fileOf(id, "core.bin")}/content`;
    must(await first.putBytes(content, "begun", { headers: { "upload-complete": "?0" } }), 201);
    for (const { host, services } of servers) await sweepServer(host, services);
    for (const client of clients) expect((await client.head(content)).headers.get("upload-offset")).toBe("5");
  });

  test("a link that ends the day after tomorrow is open in all, an embargo is lifted in none", async () => {
    const clients = await people("lea");
    const until = dayOf(at(0).host.now() + 48 * hourMicros);
    const access = { record: "restricted", files: "restricted", embargo: { active: true, until, reason: "patent" } };
    const { id } = must(await (clients[1] as HttpClient).post("/api/records", { ...publishable(), access }), 201).body;
    must(await (clients[2] as HttpClient).post(`/api/records/${id}/draft/actions/publish`), 202);
    const link = { permission: "view", expires_at: until };
    const { token } = must(await (clients[2] as HttpClient).post(`/api/records/${id}/access/links`, link), 201).body;
    for (const { url } of servers) {
      const anonymous = new HttpClient(url);
      expect((await anonymous.get(`/api/records/${id}`)).status).toBe(403);
      expect((await anonymous.get(`/api/records/${id}?token=${token}`)).status).toBe(200);
    }
  });
});

test("the database's time goes on by itself, follows the database, and never stands still (issue 15)", async () => {
  let database = 1_000_000_000_000_000;
  const { environment, follow } = await databaseClock(async () => database, machineEnvironment());
  const { log } = readableLog();
  onTestFinished(follow(log));
  const times = Array.from({ length: 1000 }, () => environment.now());
  expect(times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0))).toBe(true);
  expect((times[0] ?? 0) - database).toBeLessThan(hourMicros / 60);
  database += yearMicros;
  await expect.poll(() => environment.now() - database, { timeout: 20_000 }).toBeGreaterThan(-hourMicros / 60);
});

test("a database that answers late, as behind an exhausted pool, never turns the time back (issue 15)", async () => {
  const database = () => performance.now() * 1000;
  let reads = 0;
  const late = async () => {
    reads += 1;
    if (reads === 1) await setTimeout(3000);
    return database();
  };
  const { environment, follow } = await databaseClock(late, machineEnvironment());
  const { log } = readableLog();
  const times = [environment.now()];
  onTestFinished(follow(log));
  const isRight = () => {
    times.push(environment.now());
    return Math.abs((times.at(-1) ?? 0) - database()) < 200_000;
  };
  await expect.poll(isRight, { timeout: 60_000 }).toBe(true);
  expect(times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0))).toBe(true);
});
