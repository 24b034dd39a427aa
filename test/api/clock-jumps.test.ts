import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openReplica } from "../../main/replica/open-replica.ts";
import { startSweepJob, sweepServer } from "../../server/sweep-job.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { startApi } from "../support/api.ts";
import { fileOf, filesOf, givenDraft, must } from "../support/files.ts";
import { HttpClient } from "../support/http-client.ts";
import { machineClock } from "../support/machine-clock.ts";
import { openMailbox } from "../support/mailbox.ts";
import { givenSubmitted } from "../support/reviews.ts";
import { givenUser, password, signedInBrowser, startServer } from "../support/sign-in.ts";

const hourMicros = 3_600_000_000;
const year = 365 * 24;
const once = (key: string) => ({ headers: { "idempotency-key": key } });

describe("a clock that jumps a year ahead and back deletes nothing that is still needed (issue 15)", () => {
  test("jobs unguarded against a wrong clock: an answer by Idempotency-Key, on the server", async () => {
    const clock = machineClock();
    const api = await startApi("server");
    const alice = await api.as("alice");
    const first = must(await alice.post("/api/records", { metadata: {} }, once("create")), 201).body;
    clock.set(year);
    must(await alice.post("/api/records", { metadata: {} }, once("another")), 201);
    clock.set(0);
    const again = must(await alice.post("/api/records", { metadata: {} }, once("create")), 201);
    expect([again.body.id, again.headers.get("idempotency-replayed")]).toEqual([first.id, "true"]);
  });

  test("the newest 10000 answers of a user are kept; those of a clock that was ahead count as old", async () => {
    const clock = machineClock();
    const server = await startServer();
    const { db, now } = server.host;
    const row = { user_id: "1", digest: "", claim: "", claimed_until: 0, results: "[]", status: 200, headers: null };
    clock.set(year);
    const ahead = Array.from({ length: 10_000 }, (_, at) => ({
      ...row,
      key: `ahead ${at}`,
      created: now(),
      body: null,
    }));
    for (let at = 0; at < ahead.length; at += 1000)
      await db
        .insertInto("idempotency")
        .values(ahead.slice(at, at + 1000))
        .execute();
    clock.set(0);
    await db
      .insertInto("idempotency")
      .values({ ...row, key: "right", created: now(), body: null })
      .execute();
    await sweepServer(server.host, server.services);
    const kept = await db.selectFrom("idempotency").select("key").execute();
    expect(kept).toHaveLength(10_000);
    expect(kept).toContainEqual({ key: "right" });
  });

  test("jobs unguarded against a wrong clock: mails given up", async () => {
    const clock = machineClock();
    const box = await openMailbox({ refused: ["bob@example.org"] });
    const api = await startApi("server", { settings: { smtp: box.smtp } });
    const { db, now } = api.server.host;
    const given = (id: string, days: number) => ({
      ...{ id, kind: "mail-given-up", run_at: now() - days * 24 * hourMicros, attempts: 12, claimed_until: null },
      ...{ payload: "{}", last_error: "The mailbox is full.", recipient: null },
    });
    await db
      .insertInto("job")
      .values([given("last month", 31), given("yesterday", 1)])
      .execute();
    const left = () =>
      db.selectFrom("job").select("id").where("kind", "=", "mail-given-up").orderBy("run_at").execute();
    clock.set(year);
    await givenSubmitted(api, "ada", "bob");
    await expect.poll(async () => (await left()).length).toBe(3);
    clock.set(0);
    expect((await left()).slice(0, 2)).toEqual([{ id: "last month" }, { id: "yesterday" }]);
    await sweepServer(api.server.host, api.server.services);
    expect(await left()).toEqual([{ id: "yesterday" }, { id: expect.anything() }]);
  });

  test("sessions of other people, when somebody signs in meanwhile", async () => {
    const clock = machineClock();
    const server = await startServer();
    const { db, now } = server.host;
    const ada = await givenUser(server, "ada");
    await givenUser(server, "bob");
    const { plain, cookie } = await signedInBrowser(server, "ada");
    const me = async (own: string) => (await plain.get("/api/me", { headers: { cookie: own } })).status;
    clock.set(year);
    must(await plain.post("/api/login", { username: "bob", password }), 200);
    const row = { user_id: ada.id, csrf_token: "", expires_at: now() + 14 * 24 * hourMicros, last_used: now() };
    const ahead = Array.from({ length: 100 }, (_, at) => ({ ...row, digest: `ahead ${at}`, created: now() }));
    await db
      .insertInto("session")
      .values(ahead.map((one) => ({ ...one, user_agent: "", address: "" })))
      .execute();
    expect(await me(cookie)).toBe(401);
    clock.set(0);
    expect(await me(cookie)).toBe(200);
    // Sessions of a clock that was ahead have ended. They displace no open one.
    await signedInBrowser(server, "ada");
    expect(await me(cookie)).toBe(200);
  });

  test("an upload that goes on, on the server", async () => {
    const clock = machineClock();
    const api = await startApi("server");
    const alice = await api.as("alice");
    const id = await givenDraft(alice);
    must(await alice.post(filesOf(id), [{ key: "core.bin" }]), 201);
    const url = `${fileOf(id, "core.bin")}/content`;
    must(await alice.putBytes(url, "begun", { headers: { "upload-complete": "?0" } }), 201);
    const sweep = startSweepJob(api.server.host, api.server.services, createLog("silent"));
    for (let hours = 0; hours < 6; hours++) {
      clock.set(year + hours);
      await sweep.run();
    }
    clock.set(0);
    await sweep.run();
    await sweep.stop();
    expect((await alice.head(url)).headers.get("upload-offset")).toBe("5");
  });

  test("the replica's sweep at start: an upload that goes on, a removed file, an answer by Idempotency-Key", async () => {
    const right = machineEnvironment();
    let hours = 0;
    const environment = { ...right, now: () => right.now() + hours * hourMicros };
    const dataDir = await mkdtemp(join(tmpdir(), "carrel-clock-"));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const during = async <T>(at: number, work: (desk: HttpClient) => Promise<T>): Promise<T> => {
      hours = at;
      const replica = await openReplica({ dataDir, port: 0, environment, log: createLog("silent"), startPaused: true });
      try {
        return await work(new HttpClient(replica.url, replica.guard.secret));
      } finally {
        await replica.close();
      }
    };
    const offset = async (desk: HttpClient, url: string) => (await desk.head(url)).headers.get("upload-offset");
    const { id, url } = await during(0, async (desk) => {
      const draft = must(await desk.post("/api/records", { metadata: {} }, once("create")), 201).body.id;
      must(await desk.post(filesOf(draft), [{ key: "core.bin" }, { key: "old.bin" }]), 201);
      const content = `${fileOf(draft, "core.bin")}/content`;
      must(await desk.putBytes(content, "begun", { headers: { "upload-complete": "?0" } }), 201);
      const old = fileOf(draft, "old.bin");
      must(await desk.putBytes(`${old}/content`, "old"), 200);
      must(await desk.post(`${old}/commit`), 200);
      must(await desk.delete(old), 204);
      return { id: draft, url: content };
    });
    const kept = async (desk: HttpClient) => {
      const again = must(await desk.post("/api/records", { metadata: {} }, once("create")), 201).body.id;
      const removed = must(await desk.get(`/api/records/${id}/draft/removed-files`), 200).text.includes("old.bin");
      return [await offset(desk, url), removed, again];
    };
    for (const hours of [year, year + 1, 0]) expect(await during(hours, kept)).toEqual(["5", true, id]);
    // Days of use without a jump: what is old goes.
    expect(await during(25, kept)).toEqual(["5", false, id]);
    await during(30 * 24, async () => undefined);
    const [rest, , again] = await during(31 * 24, kept);
    expect([rest, again === id]).toEqual(["0", false]);
  });

  test("a replica that is never closed deletes old answers and uploads, once its clock has gone on for half a day", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const right = machineEnvironment();
    let hours = 0;
    const environment = { ...right, now: () => right.now() + hours * hourMicros };
    const dataDir = await mkdtemp(join(tmpdir(), "carrel-months-"));
    const replica = await openReplica({ dataDir, port: 0, environment, log: createLog("silent"), startPaused: true });
    onTestFinished(async () => {
      await replica.close();
      await rm(dataDir, { recursive: true, force: true });
    });
    const desk = new HttpClient(replica.url, replica.guard.secret);
    const draft = must(await desk.post("/api/records", { metadata: {} }, once("create")), 201).body.id;
    must(await desk.post(filesOf(draft), [{ key: "core.bin" }]), 201);
    const content = `${fileOf(draft, "core.bin")}/content`;
    must(await desk.putBytes(content, "begun", { headers: { "upload-complete": "?0" } }), 201);
    const left = async () => {
      const { db } = replica.host;
      const answers = await db.selectFrom("idempotency").select("key").execute();
      return [answers.length, (await desk.head(content)).headers.get("upload-offset")];
    };
    /** The time of the database and of the timers, which the machine would move together. */
    const goOn = async (to: number) => {
      hours = to;
      await vi.advanceTimersByTimeAsync(hourMicros / 1000);
    };
    // A clock that was set a year ahead, and shows it for less than half a day.
    for (let at = 0; at < 11; at++) await goOn(year + at);
    expect(await left()).toEqual([1, "5"]);
    for (let at = 11; at < 14; at++) await goOn(year + at);
    await expect.poll(left).toEqual([0, "0"]);
  });
});
