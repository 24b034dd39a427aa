import { describe, expect, test } from "vitest";
import { listMailStates } from "../../server/mail/mail-states.service.ts";
import { type Api, startApi } from "../support/api.ts";
import { must } from "../support/files.ts";
import { HttpClient } from "../support/http-client.ts";
import { openMailbox } from "../support/mailbox.ts";
import { comment, givenComment, givenSubmitted } from "../support/reviews.ts";
import { until } from "../support/until.ts";

const jobsOf = (api: Api) => api.server.host.db.selectFrom("job").selectAll().where("kind", "=", "mail").execute();

describe("a party to a request cannot flood another one with mail (issue 15)", () => {
  const moved = (api: Api, by: number) =>
    api.server.host.db
      .updateTable("job")
      .set((row) => ({ run_at: row("run_at", "-", by) }))
      .execute();
  const hour = 3_600_000_000;

  test("ten mails about a request at once, then one an hour that gathers the rest; no notification is lost", async () => {
    const box = await openMailbox();
    const api = await startApi("server", { settings: { smtp: box.smtp } });
    const bob = await api.as("bob");
    expect((await bob.put("/api/me", { language: "de" })).status).toBe(200);
    const { request } = await givenSubmitted(api, "ada", "bob");
    for (let at = 0; at < 40; at++) await givenComment(api, "ada", request, `Flood ${at}`);
    await box.first(10);
    await expect.poll(async () => (await jobsOf(api)).every(({ run_at }) => run_at > api.server.host.now())).toBe(true);
    expect(await jobsOf(api)).toHaveLength(31);
    expect(box.mails).toHaveLength(10);
    expect((await bob.get("/api/sync/notifications")).body).toMatchObject({ hits: { total: 41 }, unread: 41 });
    await moved(api, hour);
    await (await api.as("nudger")).post("/api/records", { metadata: {} });
    const gathered = (await box.first(11)).at(-1);
    expect(gathered?.to).toBe("bob@example.org");
    expect(gathered?.subject).toBe("31 Benachrichtigungen, zuletzt: Ada Example hat „Deep sea core 12“ kommentiert");
    expect(gathered?.text).toContain("Diese E-Mail fasst 31 Benachrichtigungen zusammen");
    expect(gathered?.text).toContain("nicht zeigt: 11.");
    const shown = [...(gathered?.text ?? "").matchAll(/^> Flood (\d+)/gm)].map(([, at]) => Number(at));
    expect(shown).toEqual(Array.from({ length: 20 }, (_, at) => 39 - at));
    expect([...(gathered?.html ?? "").matchAll(/<blockquote>/g)]).toHaveLength(20);
    await expect.poll(() => jobsOf(api)).toEqual([]);
    await givenComment(api, "ada", request, "And on");
    await expect.poll(async () => (await jobsOf(api))[0]?.run_at).toBeGreaterThan(api.server.host.now());
    await moved(api, 25 * hour);
    await (await api.as("nudger")).post("/api/records", { metadata: {} });
    expect((await box.first(12)).at(-1)?.subject).toBe("Ada Example hat „Deep sea core 12“ kommentiert");
    await givenComment(api, "ada", request, "Next day");
    await box.first(13);
  });

  test("many requests of one user count together; what others do still comes at once", async () => {
    const box = await openMailbox();
    const api = await startApi("server", { settings: { smtp: box.smtp } });
    for (let at = 0; at < 25; at++) await givenSubmitted(api, "mallory", "bob", `Spam ${at}`);
    await box.first(20);
    await expect.poll(async () => (await jobsOf(api)).every(({ run_at }) => run_at > api.server.host.now())).toBe(true);
    await givenSubmitted(api, "ada", "bob", "Core");
    expect((await box.first(21)).at(-1)?.subject).toContain("Ada Example");
    // The mail arrives before its job is done.
    await expect.poll(() => listMailStates(api.server.host.db, api.server.services.users)).toHaveLength(5);
  });

  test("two processes send one after the other, so each counts what the other sent (issue 19)", async () => {
    const held = Promise.withResolvers<void>();
    let atOnce = 0;
    let most = 0;
    const box = await openMailbox({
      async onMail() {
        most = Math.max(most, ++atOnce);
        await held.promise;
        atOnce -= 1;
      },
    });
    const api = await startApi("server", { settings: { smtp: box.smtp }, isScaled: true });
    const second = new HttpClient(api.secondUrl, (await api.person("ada")).token);
    const { request } = await givenSubmitted(api, "ada", "bob");
    await until(() => atOnce === 1, "a mail is being sent");
    for (let at = 0; at < 20; at++)
      must(await second.post(`/api/requests/${request}/comments`, comment(`Flood ${at}`)), 201);
    held.resolve();
    await box.first(10);
    await expect.poll(async () => (await jobsOf(api)).every(({ run_at }) => run_at > api.server.host.now())).toBe(true);
    expect([most, box.mails.length, (await jobsOf(api)).length]).toEqual([1, 10, 11]);
  });

  test("a mention edited out and in again, and a reviewer named again and again, tell nobody twice", async () => {
    const box = await openMailbox();
    const api = await startApi("server", { settings: { smtp: box.smtp } });
    const [ada, cleo] = [await api.as("ada"), await api.as("cleo")];
    const { request } = await givenSubmitted(api, "ada", "bob");
    const [bobId, cleoId] = [await api.idOf("bob"), await api.idOf("cleo")];
    const told = async (name: string): Promise<string[]> => {
      const { body } = await (await api.as(name)).get("/api/sync/notifications");
      return body.hits.hits.map(({ kind }: { kind: string }) => kind);
    };
    const comments = `/api/requests/${request}/comments`;
    const naming = comment(`<a href="/people/${bobId}">@bob</a>`);
    const one = `${comments}/${must(await ada.post(comments, naming), 201).body.id}`;
    const reviewers = `/api/requests/${request}/reviewers`;
    for (let times = 0; times < 5; times++) {
      for (const body of [comment("Nobody"), naming]) must(await ada.put(one, body), 200);
      must(await ada.post(reviewers, { user: cleoId }), 200);
      must(await ada.delete(`${reviewers}/user:${cleoId}`), 200);
    }
    expect([await told("bob"), await told("cleo")]).toEqual([["mentioned", "submitted"], ["submitted"]]);
    expect((await cleo.post("/api/sync/notifications/read", { all: true })).status).toBe(204);
    must(await ada.post(reviewers, { user: cleoId }), 200);
    expect(await told("cleo"), "she had read the first one").toEqual(["submitted", "submitted"]);
    await givenComment(api, "cleo", request, "Here I am");
    must(await ada.delete(`${reviewers}/user:${cleoId}`), 200);
    expect((await cleo.post(comments, comment("And gone"))).status, "whoever left the review").toBe(403);
    await givenComment(api, "ada", request, `<a href="/people/${cleoId}">@cleo</a>`);
    expect((await told("cleo")).length).toBe(2);
    await expect.poll(() => jobsOf(api)).toEqual([]);
    // A mail that finds her gone is not sent.
    expect(box.mails.filter(({ to }) => to === "cleo@example.org").length).toBeLessThanOrEqual(2);
  });
});
