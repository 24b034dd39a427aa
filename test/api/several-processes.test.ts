import { createHash, randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertRun } from "../../server/backups/backup-run.repository.ts";
import { openServer } from "../../server/open-server.ts";
import { transaction } from "../../shared/database/open.ts";
import { storedDraftHistory } from "../../shared/drafts/stored-draft-history.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { defaultSettings } from "../../shared/settings/settings.schema.ts";
import { type Api, startApi } from "../support/api.ts";
import { fileOf, filesOf, must } from "../support/files.ts";
import { HttpClient } from "../support/http-client.ts";
import { runCarrel } from "../support/process.ts";
import { openRequest, send } from "../support/raw-request.ts";
import { givenDraft, givenRecord, metadata, withoutFiles } from "../support/records.ts";
import { isOnPostgres } from "../support/server-database.ts";
import { until } from "../support/until.ts";

// Two server processes on one data folder. The one in this process is `first`.

let api: Api;
let first: HttpClient;
let second: HttpClient;
beforeAll(async () => {
  api = await startApi("server", { isScaled: true });
  const { token } = await api.person("ada");
  first = new HttpClient(api.server.url, token);
  second = new HttpClient(api.secondUrl, token);
});
afterAll(() => api.close());

test("a record is read as it was written through the other process a moment ago (issue 19, step 1)", async () => {
  const id = await givenRecord(first);
  for (const title of ["one", "two", "three"]) {
    // Both keep their answer.
    for (const reader of [first, second]) expect((await reader.get(`/api/records/${id}`)).status).toBe(200);
    await second.post(`/api/records/${id}/draft`);
    await second.put(`/api/records/${id}/draft`, { ...withoutFiles, metadata: { ...metadata, title } });
    expect((await second.post(`/api/records/${id}/draft/actions/publish`)).status).toBe(202);
    expect((await first.get(`/api/records/${id}`)).body.metadata.title).toBe(title);
  }
});

test("the page of a record that the other process restricts vanishes for strangers at once (web 6)", async () => {
  const id = await givenRecord(first);
  const read = async () => {
    const { status } = await new HttpClient(api.server.url).get(`/records/${id}`, { headers: { accept: "text/html" } });
    return status;
  };
  expect([await read(), await read()]).toEqual([200, 200]);
  await second.post(`/api/records/${id}/draft`);
  const access = { record: "restricted", files: "restricted" };
  await second.put(`/api/records/${id}/draft`, { ...withoutFiles, metadata, access });
  // Kept until the change is published.
  expect(await read()).toBe(200);
  expect((await second.post(`/api/records/${id}/draft/actions/publish`)).status).toBe(202);
  expect(await read()).toBe(403);
});

test("an edit based on a revision that the other process showed is merged (issue 19, step 1)", async () => {
  const id = await givenDraft(first);
  const path = `/api/records/${id}/draft`;
  const shown = (await first.get(path)).headers.get("etag") ?? "";
  await second.put(path, { ...withoutFiles, metadata: { ...metadata, title: "Another title" } });
  const merged = await first.put(
    path,
    { ...withoutFiles, metadata: { ...metadata, publisher: "Press" } },
    { headers: { "if-match": shown, prefer: "handling=merge" } },
  );
  expect(merged.body.metadata).toMatchObject({ title: "Another title", publisher: "Press" });
});

test("the earlier states of one user's drafts are bounded, and nobody else's are dropped for them (security 8)", async () => {
  const { host } = api.server;
  const history = storedDraftHistory(host);
  const bob = await api.as("bob");
  const [hers, his] = [[await givenDraft(first), await givenDraft(first)], await givenDraft(bob)];
  const keep = (id: string, revision_id: number, mebibytes: number) => {
    const document = { epoch: 1, state: new Uint8Array(mebibytes * 1024 * 1024) };
    return transaction(host.db, (tx) => history.keep(tx, { id, revision_id }, document));
  };
  await keep(his, 1, 1);
  for (let revision = 1; revision <= 10; revision++) await keep(hers[revision % 2] ?? "", revision, 15);
  const rows = await host.db.selectFrom("draft_past").select(["draft_id", "place", "bytes"]).execute();
  const ofHers = rows.filter(({ draft_id }) => hers.includes(draft_id));
  expect(ofHers.map(({ place }) => place).sort((a, b) => a - b)).toEqual([7, 8, 9, 10]);
  expect(rows.some(({ draft_id }) => draft_id === his)).toBe(true);
  await host.db.deleteFrom("draft_past").execute();
});

test("who opens a draft at the other process is shown to whoever has it open here (web 5)", async () => {
  const id = await givenDraft(first);
  const bob = await api.person("bob");
  const grants = [{ permission: "edit", subject: { type: "user", id: bob.id } }];
  await first.post(`/api/records/${id}/access/grants`, { grants });
  const ended = new AbortController();
  const headers = { authorization: first.authorization };
  const { body } = await fetch(`${first.url}/api/sync/events`, { headers, signal: ended.signal });
  let heard = "";
  const read = async () => {
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) heard += chunk;
  };
  read().catch(() => undefined);
  const seat = (window: string) => `/api/sync/presence/${id}/${window}`;
  expect((await first.put(seat("w1"), { field: null })).status).toBe(204);
  const there = new HttpClient(api.secondUrl, bob.token);
  expect((await there.put(seat("w2"), { field: "metadata.title" })).status).toBe(204);
  await expect.poll(() => heard).toContain("Bob Example");
  ended.abort();
});

test("a ticket of one process opens a document once, at the other (issue 19, step 1)", async () => {
  const id = await givenDraft(first);
  const { ticket } = (await first.post("/api/sync/ticket")).body;
  const open = () => {
    const socket = new WebSocket(
      `${api.secondUrl.replace("http", "ws")}/api/sync/documents/draft:${id}?ticket=${ticket}`,
    );
    return new Promise<boolean>((resolve) => {
      socket.addEventListener("open", () => {
        resolve(true);
        socket.close();
      });
      socket.addEventListener("error", () => resolve(false));
    });
  };
  expect([await open(), await open()]).toEqual([true, false]);
});

const partial = { "content-type": "application/partial-upload" };

/** A PATCH that announces bytes and sends none yet. */
const beginPatch = ({ url, authorization }: HttpClient, path: string, offset: number, bytes: number) =>
  openRequest(url, {
    method: "PATCH",
    path,
    headers: {
      ...partial,
      authorization,
      "upload-offset": String(offset),
      "upload-complete": "?1",
      "content-length": String(bytes),
    },
  });

test("a newer call at the other process takes an upload over, at the exact offset (records 6.4.1)", async () => {
  const bytes = randomBytes(200_000);
  const id = await givenDraft(first, { metadata });
  await first.post(filesOf(id), [{ key: "a" }]);
  const path = `${fileOf(id, "a")}/content`;
  const headers = { "content-type": "application/octet-stream", "upload-complete": "?0" };
  await first.putBytes(path, bytes.subarray(0, 100_000), { headers });
  const silent = await beginPatch(first, path, 100_000, 100_000);
  await send(silent, bytes.subarray(100_000, 150_000));
  const stands = async () => Number((await second.head(path)).headers.get("upload-offset"));
  const takeOver = async () => {
    const offset = await stands();
    expect(offset).toBeGreaterThanOrEqual(100_000);
    const rest = { ...partial, "upload-offset": String(offset), "upload-complete": "?1" };
    return (await second.call("PATCH", path, bytes.subarray(offset), { headers: rest })).status;
  };
  // Bytes on their way may arrive between the question and the call: a client then asks again.
  await expect.poll(takeOver).toBe(200);
  silent.destroy();
  await first.post(`${fileOf(id, "a")}/commit`);
  const content = await first.get(path);
  expect(createHash("md5").update(content.bytes).digest("hex")).toBe(createHash("md5").update(bytes).digest("hex"));
});

test("guesses at two processes count together (security 3)", async () => {
  const guess = (url: string) =>
    new HttpClient(url).post("/api/login", { username: "ada", password: "a wrong password" });
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, at) => guess(at % 2 === 0 ? api.server.url : api.secondUrl)),
  );
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(7);
});

test("processes that are asked at the same moment write one backup; one without an end was interrupted (issue 19)", async () => {
  const { id: user_id, token } = await api.person("admin");
  const admins = [api.server.url, api.secondUrl].map((url) => new HttpClient(url, token));
  const admin = await api.as("admin");
  const { db } = api.server.host;
  // Left by a process that is gone.
  await insertRun(db, {
    ...{ id: randomUUID(), started: 1, ended: null, user_id, file: "carrel-backup-a.zip" },
    ...{ bytes: null, blobs: null, missing: null, error: null },
  });
  const runs = async (): Promise<{ state: string; started: string; ended: string }[]> =>
    must(await admin.get("/api/administration/backups"), 200).body.hits.hits;
  const isOver = async () => (await runs()).every(({ state }) => state !== "running");
  let written = 0;
  for (const _ of ["at first", "after it was seen to end"]) {
    const answers = await Promise.all(admins.map((one) => one.post("/api/administration/backups")));
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toContain(202);
    expect([202, 409]).toEqual(expect.arrayContaining(statuses));
    written += statuses.filter((status) => status === 202).length;
    await until(isOver, "the backups are written");
  }
  const [...all] = (await runs()).reverse();
  expect(all.map(({ state }) => state)).toEqual(["failed", ...Array(written).fill("done")]);
  const times = all.slice(1).flatMap(({ started, ended }) => [started, ended]);
  expect(times).toEqual(times.toSorted());
});

test("a server that wants the data folder for itself is refused while processes share it, and the other way round", async ({
  skip,
}) => {
  skip(isOnPostgres, "a folder whose rows are in PostgreSQL is always shared");
  const common = { hostName: "127.0.0.1", port: 0, settings: defaultSettings, environment: machineEnvironment() };
  const open = (dataDir: string, isShared: boolean) =>
    openServer({ ...common, dataDir, isShared, log: createLog("silent") });
  await expect(open(api.dataDir, false)).rejects.toThrow("is in use by process");
  const alone = await startApi("server", { aloneBecause: "it wants the data folder for itself" });
  const { code, stderr } = await runCarrel("server", "--shared", "--data", alone.dataDir, "--port", "0");
  expect([code === 0, stderr]).toEqual([false, expect.stringContaining("is in use by process")]);
});

test("an upload of a process that was killed continues at the other one, once its lease has ended", async () => {
  const id = await givenDraft(first, { metadata });
  await first.post(filesOf(id), [{ key: "b" }]);
  const path = `${fileOf(id, "b")}/content`;
  const headers = { "content-type": "application/octet-stream", "upload-complete": "?0" };
  await first.putBytes(path, "begun ", { headers });
  const silent = await beginPatch(second, path, 6, 6);
  await send(silent, Buffer.from("w"));
  // Those of jobs come and go each minute, and stay for a minute when their process is killed.
  const locks = () => api.server.host.db.selectFrom("turn").selectAll().where("name", "not like", "job:%").execute();
  await until(async () => (await locks()).length > 0, "the second process writes");
  await api.endSecond("SIGKILL");
  silent.destroy();
  const rest = { ...partial, "upload-offset": "6", "upload-complete": "?1" };
  expect((await first.call("PATCH", path, "whole!", { headers: rest })).status).toBe(200);
  await first.post(`${fileOf(id, "b")}/commit`);
  expect((await first.get(path)).text).toBe("begun whole!");
  expect(await locks()).toEqual([]);
});
