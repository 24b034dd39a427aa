import { authenticator } from "otplib";
import { describe, expect, test } from "vitest";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { dayOf } from "../../shared/kernel/timestamps.ts";
import { startApi } from "../support/api.ts";
import { must } from "../support/files.ts";
import { machineClock } from "../support/machine-clock.ts";
import { givenComment, givenSubmitted, linesOf, publishable } from "../support/reviews.ts";

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
