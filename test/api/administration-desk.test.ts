import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { notifyAdministrators } from "../../server/backups/backup-notice.service.ts";
import { insertRun } from "../../server/backups/backup-run.repository.ts";
import { hourMicros } from "../../server/backups/backup-schedule.ts";
import { noteBucket } from "../../server/open-blobs.ts";
import { restoreBackup } from "../../server/upkeep/restore.service.ts";
import { type Api, roles, startApi } from "../support/api.ts";
import { must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { openMailbox } from "../support/mailbox.ts";
import { givenRecord } from "../support/records.ts";
import { isOnBucket } from "../support/server-database.ts";

const base = "/api/administration";

const backupsOf = async (admin: HttpClient) => must(await admin.get(`${base}/backups`), 200).body;

/** Waits until a number of attempts have ended. */
async function ended(admin: HttpClient, count: number) {
  await expect
    .poll(async () => (await backupsOf(admin)).hits.hits.filter((run: { ended: unknown }) => run.ended).length, {
      timeout: 60_000,
    })
    .toBe(count);
  return backupsOf(admin);
}

const attentionIn = async (admin: HttpClient): Promise<string[]> =>
  must(await admin.get(`${base}/overview`), 200).body.attention.map(({ kind }: { kind: string }) => kind);

const failMail = (api: Api, id: string) =>
  api.server.host.db
    .insertInto("job")
    .values({
      ...{ id, kind: "mail-given-up", run_at: api.server.host.now(), attempts: 12, claimed_until: null },
      payload: JSON.stringify({ account: "changed", userId: "1" }),
      last_error: "550 no such user",
    })
    .execute();

describe.each(roles)("backups in the app on the %s (app, Missing 10)", (role) => {
  test("one is written now, is complete, and only the last ones are kept", async () => {
    const api = await startApi(role);
    const admin = await api.as("admin");
    expect(await attentionIn(admin)).toEqual(["no_backup", "backup_on_same_disk"]);
    const before = await backupsOf(admin);
    expect(before).toMatchObject({
      hits: { total: 0 },
      schedule: { every_hours: null, keep: 7 },
      folder: join(api.dataDir, "backups"),
      is_same_disk: true,
      next: null,
    });
    must(await admin.put(`${base}/backups/schedule`, { every_hours: null, keep: 1 }), 200);
    must(await admin.post(`${base}/backups`), 202);
    const [first] = (await ended(admin, 1)).hits.hits;
    expect(first).toMatchObject({ state: "done", started_by: await api.idOf("admin"), missing: 0, is_kept: true });
    must(await admin.post(`${base}/backups`), 202);
    const { hits, last_success } = await ended(admin, 2);
    expect(hits.hits.map((run: { is_kept: boolean }) => run.is_kept)).toEqual([true, false]);
    expect(await readdir(before.folder)).toEqual([last_success.file.slice(before.folder.length + 1)]);
    await restoreBackup(last_success.file, join(api.dataDir, "restored"));
    expect(await attentionIn(admin)).toEqual(["backup_on_same_disk"]);
    const { body } = await admin.get("/api/audit-logs?action=backup.create");
    expect(body.hits.total).toBe(2);
  });

  test("a schedule writes them; a bad one is refused", async () => {
    const api = await startApi(role);
    const admin = await api.as("admin");
    expect((await admin.put(`${base}/backups/schedule`, { every_hours: 0, keep: 1 })).status).toBe(400);
    must(await admin.put(`${base}/backups/schedule`, { every_hours: 24, keep: 3 }), 200);
    const { hits, schedule, next } = await ended(admin, 1);
    expect(hits.hits[0]).toMatchObject({ state: "done", started_by: null });
    expect(schedule).toEqual({ every_hours: 24, keep: 3 });
    expect(next > hits.hits[0].started).toBe(true);
  });
});

describe("a backup that fails (app, Missing 10)", () => {
  test("is shown with the reason, and administrators get one mail", async () => {
    const box = await openMailbox();
    const api = await startApi("server", { settings: { smtp: box.smtp } });
    const admin = await api.as("admin");
    await api.as("alice");
    const folder = join(api.dataDir, "backups");
    await writeFile(folder, "a file where the folder should be");
    must(await admin.post(`${base}/backups`), 202);
    const { failure } = await ended(admin, 1);
    // In words that the app translates (issue 17: backups).
    expect(failure).toMatchObject({
      state: "failed",
      error: expect.stringMatching(/^The backup .* cannot be written/),
    });
    expect(await attentionIn(admin)).toContain("backup_failed");
    const [mail] = await box.first(1);
    expect(mail).toMatchObject({
      to: "admin@example.org",
      subject: expect.stringMatching(/^The backup of .* failed$/),
    });
    expect(mail?.text).toContain("/administration/backups");
    must(await admin.post(`${base}/backups`), 202);
    await ended(admin, 2);
    await rm(folder);
    must(await admin.post(`${base}/backups`), 202);
    expect((await ended(admin, 3)).failure).toBe(null);
    expect(await attentionIn(admin)).not.toContain("backup_failed");
    expect(await api.server.host.db.selectFrom("job").select("id").execute()).toEqual([]);
  });

  test("is mailed once a day while backups keep failing, and at once after a success", async () => {
    const box = await openMailbox();
    const api = await startApi("server", { settings: { smtp: box.smtp } });
    await api.as("admin");
    const { host } = api.server;
    const begin = host.now() - 100 * hourMicros;
    const run = async (hours: number, error: string | null) => {
      const started = begin + hours * hourMicros;
      const row = {
        ...{ id: randomUUID(), started, ended: started, user_id: null, file: "backup.zip" },
        ...{ bytes: null, blobs: null, missing: null, error },
      };
      await insertRun(host.db, row);
      if (error !== null) await notifyAdministrators(host, row);
    };
    for (let hours = 0; hours < 72; hours++) await run(hours, "The disk is full.");
    await box.first(3);
    await run(72, null);
    await run(73, "The disk is full.");
    await box.first(4);
    await expect.poll(() => host.db.selectFrom("job").select("id").execute()).toEqual([]);
    expect(box.mails).toHaveLength(4);
  });

  test("two calls at the same moment write one; what an interrupted one left goes, other files stay", async () => {
    const api = await startApi();
    const admin = await api.as("admin");
    const answers = await Promise.all([admin.post(`${base}/backups`), admin.post(`${base}/backups`)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
    await ended(admin, 1);
    const folder = join(api.dataDir, "backups");
    await mkdir(folder, { recursive: true });
    for (const name of ["carrel-backup-2026-01-01T00-00-00Z-ab.zip.12.partial", "mine.zip.12.partial"])
      await writeFile(join(folder, name), "");
    const { removePartials } = await import("../../server/backups/backup-folder.ts");
    await removePartials(folder);
    expect((await readdir(folder)).filter((name) => name.endsWith("partial"))).toEqual(["mine.zip.12.partial"]);
  });
});

describe.each(roles)("queues in the app on the %s (app, Missing 10)", (role) => {
  test("failed mail is listed with its reason, counted, sent again and discarded; what is retried waits (app 17.8)", async () => {
    const api = await startApi(role);
    const admin = await api.as("admin");
    for (const id of ["m1", "m2"]) await failMail(api, id);
    const { hits, counts, is_configured } = must(await admin.get(`${base}/mail`), 200).body;
    expect(hits.hits[0]).toMatchObject({ state: "given_up", reason: "550 no such user", trigger: "changed" });
    expect([counts, is_configured]).toEqual([{ waiting: 0, failing: 0, given_up: 2 }, false]);
    expect(await attentionIn(admin)).toContain("mail_failed");
    expect(must(await admin.post(`${base}/mail/m1/actions/retry`), 200).body).toEqual({ retried: 1 });
    // What is retried waits: it failed no more often, and is due now, not in 1970.
    const { hits: after } = must(await admin.get(`${base}/mail`), 200).body;
    expect(after.hits).toContainEqual(expect.objectContaining({ id: "m1", state: "waiting" }));
    expect(after.hits).not.toContainEqual(expect.objectContaining({ next_attempt: expect.anything() }));
    must(await admin.delete(`${base}/mail/m2`), 204);
    expect((await admin.delete(`${base}/mail/m2`)).status).toBe(404);
    await failMail(api, "m3");
    expect(must(await admin.post(`${base}/mail/actions/retry`), 200).body).toEqual({ retried: 1 });
    expect(must(await admin.get("/api/audit-logs?action=mail.discard"), 200).body.hits.total).toBe(1);
    // A list that is cut counts what it leaves out (issue 17: long lists).
    for (let n = 0; n < 300; n += 1) await failMail(api, `long-${n}`);
    const { hits: cut } = must(await admin.get(`${base}/mail`), 200).body;
    expect([cut.hits.length, cut.total]).toEqual([300, 302]);
  });

  test("DOIs that are not registered are listed; without an agency, and once retried, they wait (app 17.8)", async () => {
    const api = await startApi(role);
    const admin = await api.as("admin");
    const id = await givenRecord(await api.as("alice"));
    const { host } = api.server;
    const own = await host.db
      .selectFrom("record")
      .select(["parent_id", "revision_id"])
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    await host.db
      .insertInto("pid")
      .values({
        ...{ scheme: "doi", identifier: "10.5072/x", provider: "datacite", state: "registered" },
        ...{ record_id: id, parent_id: own.parent_id },
      })
      .execute();
    const { hits, counts } = must(await admin.get(`${base}/dois`), 200).body;
    expect(hits.hits).toEqual([{ doi: "10.5072/x", record: id, state: "waiting" }]);
    expect(counts).toEqual({ waiting: 1, failing: 0, refused: 0 });
    const refused = {
      sent_revision: null,
      is_public: 0,
      refused_revision: own.revision_id,
      attempts: 1,
      run_at: 0,
      updated: 1,
    };
    await host.db
      .insertInto("doi_registration")
      .values({ ...refused, record_id: id, last_error: "422 creators are missing" })
      .execute();
    expect(must(await admin.get(`${base}/dois`), 200).body).toMatchObject({
      hits: { hits: [{ state: "refused", reason: "422 creators are missing" }] },
      counts: { waiting: 0, failing: 0, refused: 1 },
    });
    expect(await attentionIn(admin)).toContain("doi_failed");
    expect(must(await admin.post(`${base}/dois/${id}/actions/retry`), 200).body).toEqual({ retried: 1 });
    expect(must(await admin.get(`${base}/dois`), 200).body).toMatchObject({
      hits: { hits: [{ doi: "10.5072/x", record: id, state: "waiting" }] },
      counts: { waiting: 1, failing: 0, refused: 0 },
    });
  });
});

describe.each(roles)("what an administrator sees at a glance on the %s (app, Missing 10)", (role) => {
  test("people, storage, quotas nearly full and invitations; deleted records can be found and restored", async () => {
    const api = await startApi(role);
    const admin = await api.as("admin");
    const id = await givenRecord(await api.as("alice"));
    must(await admin.delete(`/api/records/${id}/delete`, { note: "By mistake" }), 204);
    const { hits } = must(await admin.get(`${base}/removed-records`), 200).body;
    expect(hits).toMatchObject({
      total: 1,
      hits: [{ id, owner: await api.idOf("alice"), tombstone: { note: "By mistake" } }],
    });
    must(await admin.post(`/api/records/${id}/restore`), 200);
    expect(must(await admin.get(`${base}/removed-records`), 200).body.hits.total).toBe(0);
    must(await admin.post("/api/invitations", { email: "dora@example.org" }), 201);
    const body = must(await admin.get(`${base}/overview`), 200).body;
    expect(body).toMatchObject({
      people: { active: 2, inactive: 0, unconfirmed: 0 },
      invitations: { open: 1, expired: 0 },
    });
    expect(body.attention).toContainEqual({ kind: "invitations_open", count: 1, is_quiet: true });
    expect(body.storage.free_bytes).toBeGreaterThan(0);
  });
});

test("the overview says whether the files are on the disk of the server or in a bucket (issue 17: storage)", async () => {
  const api = await startApi("server");
  const admin = await api.as("admin");
  const isOnDisk = async () => must(await admin.get(`${base}/overview`), 200).body.storage.holds_files;
  expect(await isOnDisk()).toBe(!isOnBucket);
  await noteBucket(api.server.host.db, "s3://carrel?endpoint=http://127.0.0.1:1&region=us-east-1");
  expect(await isOnDisk()).toBe(false);
});
