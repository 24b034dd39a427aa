import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { authenticator } from "otplib";
import { describe, expect, onTestFinished, test } from "vitest";
import { openReplica } from "../../main/replica/open-replica.ts";
import { dataciteRegistrar } from "../../server/doi/datacite-registrar.ts";
import { doiRegistration } from "../../server/doi/doi-registration.service.ts";
import { insertLink } from "../../shared/accounts/account-link.repository.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { dayOf } from "../../shared/kernel/timestamps.ts";
import { accountServices } from "../support/account-services.ts";
import { startApi } from "../support/api.ts";
import { givenDatacite } from "../support/fake-datacite.ts";
import { must } from "../support/files.ts";
import { HttpClient } from "../support/http-client.ts";
import { machineClock } from "../support/machine-clock.ts";
import { openMailbox } from "../support/mailbox.ts";
import { givenComment, givenSubmitted, linesOf, publishable } from "../support/reviews.ts";
import { replicaOf, synced } from "../support/two-replicas.ts";

const hourMicros = 3_600_000_000;
const year = 365 * 24;

describe("the clock of the server is set while it runs (issue 15)", () => {
  test("the server follows it forwards and back; without that, times only increase", () => {
    const clock = machineClock();
    const { now } = machineEnvironment();
    const start = now();
    const times = Array.from({ length: 1000 }, now);
    expect(times.every((time, at) => at === 0 || time > (times[at - 1] ?? 0))).toBe(true);
    for (const hours of [24, -1, year, 0]) {
      clock.set(hours);
      const off = now() - start - hours * hourMicros;
      expect(off).toBeGreaterThan(-hourMicros / 60);
      expect(off).toBeLessThan(hourMicros / 60);
      expect(now()).toBeLessThan(now());
    }
  });

  test("an embargo ends on its day by the clock as it was set right", async () => {
    const clock = machineClock();
    const api = await startApi("server");
    const alice = await api.as("alice");
    const until = dayOf(api.server.host.now() + 24 * hourMicros);
    const access = { record: "restricted", files: "restricted", embargo: { active: true, until, reason: "patent" } };
    const { body } = must(await alice.post("/api/records", { ...publishable(), access }), 201);
    must(await alice.post(`/api/records/${body.id}/draft/actions/publish`), 202);
    expect((await api.anonymous.get(`/api/records/${body.id}`)).status).toBe(403);
    clock.set(24);
    expect((await api.anonymous.get(`/api/records/${body.id}`)).status).toBe(200);
  });

  test("a code of the second factor counts once the clock is right, and a used one stays used", async () => {
    const clock = machineClock();
    const api = await startApi("server");
    const password = "a horse of many stables";
    await api.server.services.signIn.resetPassword(await api.idOf("ada"), password);
    const ada = await api.as("ada");
    clock.set(24);
    const { secret } = must(await ada.post("/api/user/second-factor", { password }), 201).body;
    const codeOf = (step: number): string =>
      authenticator.clone({ epoch: Date.now() + step * 30_000 }).generate(secret);
    must(await ada.post("/api/user/second-factor/actions/confirm", { code: codeOf(-1) }), 200);
    const code = codeOf(0);
    const signIn = () => api.anonymous.post("/api/login", { username: "ada", password, code });
    expect((await signIn()).status).toBe(200);
    for (const hours of [23, 48, 24]) {
      clock.set(hours);
      expect((await signIn()).body.error).toBe("invalid_second_factor");
    }
  });

  test("a waiting call for changes ends in its time though the clock is set back an hour", async () => {
    const clock = machineClock();
    const api = await startApi("server");
    const alice = await api.as("alice");
    const { cursor } = (await alice.get("/api/sync/changes")).body;
    const call = alice.get(`/api/sync/changes?cursor=${cursor}&wait=1`);
    for (let calls = 0; calls < 5; calls++) await alice.get("/api/sync/status");
    clock.set(-1);
    expect((await call).body.changes).toEqual([]);
  });

  test("whoever made too many calls waits a minute at most though the clock is set back", async () => {
    const clock = machineClock();
    const api = await startApi("server", { settings: { rate_limit: { guest_per_minute: 1, user_per_minute: 100 } } });
    const call = () => api.anonymous.get("/api/records");
    expect((await call()).status).toBe(200);
    clock.set(-year);
    const refused = await call();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(60);
    expect(Number(refused.headers.get("x-ratelimit-reset"))).toBeLessThanOrEqual(Date.now() / 1000 + 61);
  });

  test("visitors who looked at pages are not locked out when the clock is set back", async () => {
    const clock = machineClock();
    const api = await startApi("server", { settings: { trust_proxy: ["loopback"] } });
    const look = () => api.anonymous.get("/search", { headers: { "x-forwarded-for": "192.0.2.1" } });
    expect((await look()).status).toBe(200);
    clock.set(-year);
    expect((await look()).status).toBe(200);
  });

  test("sessions, the feed and the order of comments survive it", async () => {
    const clock = machineClock();
    const api = await startApi("server");
    const { request } = await givenSubmitted(api, "ada", "bob");
    const bob = await api.as("bob");
    const { cursor } = must(await bob.get("/api/sync/changes"), 200).body;
    for (const [at, hours] of [24, -1, year, 0].entries()) {
      clock.set(hours);
      await givenComment(api, at % 2 === 0 ? "ada" : "bob", request, `Comment ${at}`);
    }
    expect((await linesOf(api, "ada", request)).slice(-4)).toEqual([0, 1, 2, 3].map((at) => `C Comment ${at}`));
    const { changes } = must(await bob.get(`/api/sync/changes?cursor=${cursor}`), 200).body;
    expect(changes.map(({ kind }: { kind: string }) => kind)).toContain("request");
  });
});

describe("the clock of a desk is wrong (issue 15; hosts-and-sync 8)", () => {
  test.each([
    ["three days ahead", 72],
    ["a year ahead", year],
    ["a year behind", -year],
  ])("%s: the server's clock decides about embargoes, access links and reviews that end", async (_words, hours) => {
    const api = await startApi("server");
    const right = machineEnvironment();
    const ada = await replicaOf(api, "ada", { ...right, now: () => right.now() + hours * hourMicros });
    const inHours = (more: number) => dayOf(right.now() + more * hourMicros);
    const [past, soon] = [inHours(-48), inHours(48)];
    const reviewer = await api.idOf("bob");
    const draftUntil = async (until: string) => {
      const access = { record: "restricted", files: "restricted", embargo: { active: true, until, reason: "patent" } };
      return must(await ada.post("/api/records", { ...publishable(), access }), 201).body;
    };
    const over = await draftUntil(past);
    expect(over.errors).toMatchObject([{ field: "access.embargo.until" }]);
    expect((await ada.post(`/api/records/${over.id}/draft/actions/publish`)).status).toBe(400);
    const { id, errors } = await draftUntil(soon);
    expect(errors ?? []).toEqual([]);
    const link = (expires_at: string) =>
      ada.post(`/api/records/${id}/access/links`, { permission: "view", expires_at });
    expect([(await link(soon)).status, (await link(past)).status]).toEqual([201, 400]);
    const review = (expires_at: string) =>
      ada.put(`/api/records/${over.id}/draft/review`, { receiver: { user: reviewer }, expires_at });
    expect([(await review(soon)).status, (await review(past)).status]).toEqual([200, 400]);
    must(await ada.post(`/api/records/${id}/draft/actions/publish`), 202);
    await synced(ada);
    const shown = must(await ada.get(`/api/records/${id}`), 200).body.access;
    expect(shown).toMatchObject({ record: "restricted", embargo: { active: true, until: soon } });
    expect((await api.anonymous.get(`/api/records/${id}`)).status).toBe(403);
  });

  test.each([
    ["still a year ahead", year, year],
    ["still a year behind", -year, -year],
    ["was a year ahead and is right", year, 0],
    ["was a year behind and is right", -year, 0],
    ["was right and is a year behind", 0, -year],
  ])("after a restart without the server, with a clock that %s, days are judged as before", async (_words, was, is) => {
    const api = await startApi("server");
    const right = machineEnvironment();
    let hours = was;
    const environment = { ...right, now: () => right.now() + hours * hourMicros };
    const dataDir = await mkdtemp(join(tmpdir(), "carrel-clock-"));
    const open = (startPaused: boolean) =>
      openReplica({ dataDir, port: 0, environment, log: createLog("silent"), startPaused });
    const first = await open(false);
    const client = new HttpClient(first.url, first.guard.secret);
    must(
      await client.post("/api/sync/connect", { server: api.server.url, token: (await api.person("ada")).token }),
      200,
    );
    await synced(client);
    await first.close();
    hours = is;
    const second = await open(true);
    onTestFinished(async () => {
      await second.close();
      await rm(dataDir, { recursive: true, force: true });
    });
    const ada = new HttpClient(second.url, second.guard.secret);
    const { id } = must(await ada.post("/api/records", publishable()), 201).body;
    const link = async (more: number) => {
      const expires_at = dayOf(right.now() + more * hourMicros);
      return (await ada.post(`/api/records/${id}/access/links`, { permission: "view", expires_at })).status;
    };
    expect([await link(48), await link(-48)]).toEqual([201, 400]);
  });
});

describe("the clock of the server was a year ahead, and is right again: nothing waits a year (issue 15)", () => {
  test("mail that was gathered or failed is sent", async () => {
    const clock = machineClock();
    let isDown = false;
    const box = await openMailbox({
      onMail: () => {
        if (isDown) throw new Error("down");
      },
    });
    const api = await startApi("server", { settings: { smtp: box.smtp } });
    const waiting = () => api.server.host.db.selectFrom("job").selectAll().where("kind", "=", "mail").execute();
    const next = async () => (await api.as("nudger")).post("/api/records", { metadata: {} });
    clock.set(year);
    const { request } = await givenSubmitted(api, "ada", "bob");
    for (let at = 0; at < 12; at++) await givenComment(api, "ada", request, `Flood ${at}`);
    await box.first(10);
    await expect.poll(async () => (await waiting()).every(({ run_at }) => run_at > api.server.host.now())).toBe(true);
    isDown = true;
    await givenSubmitted(api, "ada", "carol", "Core");
    await expect.poll(async () => (await waiting()).filter(({ attempts }) => attempts === 1)).toHaveLength(1);
    isDown = false;
    clock.set(0);
    await next();
    await expect.poll(waiting).toEqual([]);
    const late = new Set(box.mails.slice(10).map(({ to }) => to));
    expect([...late].sort()).toEqual(["bob@example.org", "carol@example.org"]);
  });

  test("DOIs that failed are registered", async () => {
    const clock = machineClock();
    const datacite = await givenDatacite();
    const api = await startApi();
    const parts = { host: api.server.host, services: api.server.services, log: createLog("silent") };
    const account = { url: datacite.url, repository_id: "CARREL.TEST", password: "secret" };
    const registration = doiRegistration({ ...parts, registrar: dataciteRegistrar(account, 5000) });
    const alice = await api.as("alice");
    clock.set(year);
    datacite.mood = 503;
    const body = { ...publishable(), metadata: { ...publishable().metadata, publisher: "Press" } };
    const { id } = must(await alice.post("/api/records", body), 201).body;
    must(await alice.post(`/api/records/${id}/draft/pids/doi`), 201);
    must(await alice.post(`/api/records/${id}/draft/actions/publish`), 202);
    await registration.sendDue();
    expect(datacite.dois.size).toBe(0);
    datacite.mood = "well";
    clock.set(0);
    await registration.sendDue();
    await registration.stop();
    expect(datacite.dois.get(`10.5072/${id}`)?.state).toBe("findable");
  });

  test("a failed sign-in and a request for access do not count on; a link by mail lives no longer than it may", async () => {
    const clock = machineClock();
    const api = await startApi();
    const [alice, bob] = [await api.as("alice"), await api.as("bob")];
    const password = "a horse of many stables";
    await api.server.services.signIn.resetPassword(await api.idOf("bob"), password);
    const { body } = must(
      await alice.post("/api/records", { ...publishable(), access: { record: "public", files: "restricted" } }),
      201,
    );
    must(await alice.post(`/api/records/${body.id}/draft/actions/publish`), 202);
    must(await alice.put(`/api/records/${body.id}/access`, { allow_user_requests: true }), 200);
    const ask = () => bob.post(`/api/records/${body.id}/access/request`, { message: "Please" });
    const signIn = (guess: string) => api.anonymous.post("/api/login", { username: "bob", password: guess });
    clock.set(year);
    for (let times = 0; times < 3; times++) {
      const asked = must(await ask(), 200);
      must(await bob.post(`/api/requests/${asked.body.id}/actions/cancel`), 200);
    }
    for (let guesses = 0; guesses < 5; guesses++) expect((await signIn("wrong one")).status).toBe(401);
    expect([(await ask()).status, (await signIn(password)).status]).toEqual([429, 429]);
    const { accountLinks } = accountServices(api);
    const link = { ...accountLinks.fresh("reset", hourMicros, ""), email: "bob@example.org", roles: "[]" };
    await insertLink(api.server.host.db, { ...link, invited_by: null, user_id: null });
    const token = accountLinks.addressOf(link, "").split("/").at(-1) ?? "";
    expect(await accountLinks.find("reset", token)).toBeDefined();
    clock.set(0);
    expect([(await ask()).status, (await signIn(password)).status]).toEqual([200, 200]);
    expect(await accountLinks.find("reset", token)).toBeUndefined();
  });

  test("backups go on by schedule, and the new ones are kept", async () => {
    const clock = machineClock();
    const api = await startApi();
    const admin = await api.as("admin");
    const base = "/api/administration/backups";
    const ended = async () =>
      must(await admin.get(base), 200).body.hits.hits.filter((run: { ended: unknown }) => run.ended !== null);
    clock.set(year);
    must(await admin.put(`${base}/schedule`, { every_hours: 24, keep: 1 }), 200);
    await expect.poll(async () => (await ended()).length).toBe(1);
    clock.set(0);
    expect(must(await admin.get(base), 200).body.is_overdue).toBe(true);
    must(await admin.put(`${base}/schedule`, { every_hours: 24, keep: 1 }), 200);
    await expect.poll(async () => (await ended()).length).toBe(2);
    const [newest, older] = await ended();
    expect(newest.started < older.started).toBe(true);
    await expect
      .poll(async () => (await ended()).map((run: { is_kept: boolean }) => run.is_kept))
      .toEqual([true, false]);
    const { next, is_overdue } = must(await admin.get(base), 200).body;
    expect([Date.parse(next) < Date.now() + 25 * 3_600_000, is_overdue]).toEqual([true, false]);
  });
});
