import { createHash, createHmac } from "node:crypto";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { transaction } from "../../shared/database/open.ts";
import type { Call } from "../../shared/kernel/call.ts";
import { folderSecret } from "../../shared/kernel/folder-secret.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { type Api, roles, startApi } from "../support/api.ts";
import { fileOf, filesOf, givenDraft, must } from "../support/files.ts";
import { type Answer, HttpClient } from "../support/http-client.ts";
import { CarrelProcess } from "../support/process.ts";
import { superuser } from "../support/superuser.ts";

const withKey = (key: string) => ({ headers: { "idempotency-key": key } });
const isReplayed = (answer: Answer): boolean => answer.headers.get("idempotency-replayed") === "true";

describe.each(roles)("Idempotency-Key on the %s (hosts-and-sync 6)", (role) => {
  test("a streamed body: the same is answered again, another of the same length is 422", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const id = await givenDraft(alice);
    must(await alice.post(filesOf(id), [{ key: "a.bin" }]), 201);
    const content = `${fileOf(id, "a.bin")}/content`;
    const first = await alice.putBytes(content, "the one", withKey("k1"));
    const again = await alice.putBytes(content, "the one", withKey("k1"));
    expect([first.status, again.status, isReplayed(first), isReplayed(again)]).toEqual([200, 200, false, true]);
    expect(again.text).toBe(first.text);
    expect((await alice.putBytes(content, "another", withKey("k1"))).status).toBe(422);
    must(await alice.post(`${fileOf(id, "a.bin")}/commit`), 200);
    expect((await alice.get(content)).text).toBe("the one");
  });

  test("hosts 6: Idempotency-Key still running: 409, however the bytes are sent; then the same call is answered again", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const id = await givenDraft(alice);
    must(await alice.post(filesOf(id), [{ key: "slow.bin" }]), 201);
    const content = `${fileOf(id, "slow.bin")}/content`;
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const slow = writable.getWriter();
    const options = { method: "PUT", body: readable, duplex: "half" as const };
    const headers = { authorization: alice.authorization, "content-type": "application/octet-stream" };
    const first = fetch(alice.url + content, { ...options, headers: { ...headers, ...withKey("slow").headers } });
    await slow.write(Buffer.from("slow "));
    const { db } = role === "server" ? api.server.host : (await api.replicaOf("alice")).host;
    const calls = () => db.selectFrom("idempotency").select("key").where("key", "=", "slow").execute();
    await expect.poll(async () => (await calls()).length).toBe(1);
    expect((await alice.putBytes(content, "slow bytes", withKey("slow"))).status).toBe(409);
    expect((await alice.post("/api/records", {}, withKey("slow"))).status, "another call").toBe(422);
    await slow.write(Buffer.from("bytes"));
    await slow.close();
    expect((await first).status).toBe(200);
    const again = await alice.putBytes(content, "slow bytes", withKey("slow"));
    expect([again.status, isReplayed(again)]).toEqual([200, true]);
    expect((await alice.putBytes(content, undefined as unknown as string, withKey("slow"))).status, "no bytes").toBe(
      422,
    );
  });

  test("calls that go to the server and calls answered here share one store: another path, method or body is 422", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const id = await givenDraft(alice);
    const doi = `/api/records/${id}/draft/pids/doi`;
    const reserved = await alice.post(doi, undefined, withKey("k2"));
    const again = await alice.post(doi, undefined, withKey("k2"));
    expect([reserved.status, again.status, isReplayed(again)]).toEqual([201, 201, true]);
    expect(again.body.pids).toEqual(reserved.body.pids);
    expect((await alice.delete(doi, undefined, withKey("k2"))).status).toBe(422);
    const body = { metadata: { title: "Another" }, files: { enabled: false } };
    expect((await alice.post("/api/records", body, withKey("k2"))).status).toBe(422);
    const made = must(await alice.post("/api/records", body, withKey("k3")), 201);
    expect(isReplayed(made)).toBe(false);
    expect(isReplayed(await alice.post("/api/records/", body, withKey("k3"))), "one closing slash").toBe(true);
    expect((await alice.delete(doi, undefined, withKey("k3"))).status).toBe(422);
    expect((await alice.get(`/api/records/${id}/draft`)).body.pids.doi).toBeDefined();
  });

  test("hosts 6: Idempotency-Key: 1 to 255 characters, separate for each user; a refusal is replayed too", async () => {
    const api = await startApi(role);
    const [alice, bob] = [await api.as("alice"), await api.as("bob")];
    for (const key of ["", "k".repeat(256)])
      expect((await alice.post("/api/records", {}, withKey(key))).status).toBe(400);
    const key = withKey("k".repeat(255));
    const mine = must(await alice.post("/api/records", {}, key), 201);
    expect(isReplayed(await alice.post("/api/records", {}, key))).toBe(true);
    const his = must(await bob.post("/api/records", {}, key), 201);
    expect([isReplayed(his), his.body.id === mine.body.id]).toEqual([false, false]);
    const refused = [withKey("bad"), withKey("bad")].map((again) => alice.post("/api/records", { files: 5 }, again));
    for (const { status } of await Promise.all(refused)) expect([400, 409]).toContain(status);
    const again = await alice.post("/api/records", { files: 5 }, withKey("bad"));
    expect([again.status, isReplayed(again)]).toEqual([400, true]);
    const unknown = "/api/records/zzzzz-zzzzz/draft";
    await alice.put(unknown, {}, withKey("unknown"));
    const missing = await alice.put(unknown, {}, withKey("unknown"));
    expect([missing.status, isReplayed(missing)]).toEqual([404, true]);
    expect((await alice.put(unknown, {}, key)).status, "another call, whatever stands there").toBe(422);
  });

  test("hosts 6: any POST: also one that shows a secret is answered again, which is stored nowhere as it is", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const body = { name: "t", scopes: ["read", "write", "tokens"] };
    const made = must(await alice.post("/api/tokens", body, withKey("k4")), 201);
    const replica = role === "replica" ? [(await api.replicaOf("alice")).host.db] : [];
    for (const db of [api.server.host.db, ...replica]) {
      const rows = await db.selectFrom("idempotency").selectAll().execute();
      expect(JSON.stringify(rows)).not.toContain(made.body.token);
    }
    const again = must(await alice.post("/api/tokens", body, withKey("k4")), 201);
    expect([again.text, isReplayed(again), again.headers.get("cache-control")]).toEqual([made.text, true, "no-store"]);
    expect((await alice.post("/api/tokens", { name: "u" }, withKey("k4"))).status).toBe(422);
    const other = (await api.onServer("alice")).withToken(made.body.token);
    const his = must(await other.post("/api/tokens", body, withKey("k4")), 201);
    expect([isReplayed(his), his.text.includes(made.body.token)], "another credential").toEqual([false, false]);
  });
});

/** Another process on the same database. The lock of the data folder normally prevents that. */
async function secondServer(api: Api): Promise<string> {
  await rm(join(api.dataDir, "server.pid"), { force: true });
  const server = new CarrelProcess([
    "server",
    "--shared",
    "--data",
    api.dataDir,
    "--port",
    "0",
    "--log-level",
    "fatal",
  ]);
  onTestFinished(async () => {
    await server.stop();
  });
  return (await server.ready()).url;
}

const body = { metadata: { title: "Once" }, files: { enabled: false } };
const countDrafts = async ({ db }: Host) => (await db.selectFrom("draft").select("id").execute()).length;

describe("one run of a call (fault 1)", () => {
  test.each(roles)("two calls with one key that wait for the database on the %s: one of them runs", async (role) => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const host = role === "server" ? api.server.host : (await api.replicaOf("alice")).host;
    const gate = Promise.withResolvers<void>();
    const isHeld = Promise.withResolvers<void>();
    const held = transaction(host.db, async () => {
      isHeld.resolve();
      await gate.promise;
    });
    await isHeld.promise;
    const calls = [1, 2, 3].map(() => alice.post("/api/records", body, withKey("held")));
    // Answered without the database: by then the earlier calls have arrived.
    const pings = [1, 2, 3].map(() => alice.get("/ping"));
    for (const { status } of await Promise.all(pings).finally(gate.resolve)) expect(status).toBe(200);
    await held;
    const answers = await Promise.all(calls);
    const made = answers.filter((answer) => answer.status === 201 && !isReplayed(answer));
    expect(made.length, answers.map(({ status }) => status).join()).toBe(1);
    for (const { status } of answers) expect([201, 409]).toContain(status);
    expect(await countDrafts(host)).toBe(1);
  });

  test("two servers on one database: one of them runs, and its answer is given by both", async () => {
    const api = await startApi();
    const alice = await api.as("alice");
    const there = new HttpClient(await secondServer(api), (await api.person("alice")).token);
    for (const round of [1, 2, 3, 4, 5]) {
      const key = withKey(`round ${round}`);
      const answers = await Promise.all([alice, there, alice, there].map((c) => c.post("/api/records", body, key)));
      const made = answers.filter((answer) => answer.status === 201 && !isReplayed(answer));
      expect(made.length, answers.map(({ status }) => status).join()).toBe(1);
      for (const { status } of answers) expect([201, 409]).toContain(status);
      const again = must(await there.post("/api/records", body, key), 201);
      expect([isReplayed(again), again.body.id]).toEqual([true, made[0]?.body.id]);
      expect(await countDrafts(api.server.host)).toBe(round);
    }
  });

  test("a run that has lost its call to another one leaves nothing behind", async () => {
    const api = await startApi();
    const alice = await api.as("alice");
    const { host, services } = api.server;
    const made = must(await alice.post("/api/records", body, withKey("lost")), 201);
    await host.db.updateTable("idempotency").set({ status: null, claim: "another run" }).execute();
    const userId = await api.idOf("alice");
    const origin = { kind: "idempotent" as const, userId, key: "lost", claim: "this run", results: [], next: 0 };
    const call: Call = { ...superuser, userId, roles: new Set(), origin };
    await expect(services.discarding.discard(call, { id: made.body.id })).rejects.toMatchObject({ status: 409 });
    expect((await alice.get(`/api/records/${made.body.id}/draft`)).status).toBe(200);
  });

  test.each(roles)("a call whose process crashed is taken over once its lease has ended, on the %s", async (role) => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const host = role === "server" ? api.server.host : (await api.replicaOf("alice")).host;
    const made = must(await alice.post("/api/records", body, withKey("crashed")), 201);
    const rows = host.db.updateTable("idempotency").where("key", "=", "crashed");
    const crashed = { status: null, body: null, headers: null };
    await rows.set({ ...crashed, claimed_until: host.now() + 3_000_000 }).execute();
    const again = () => alice.post("/api/records", body, withKey("crashed"));
    expect((await again()).status).toBe(409);
    await rows.set({ claimed_until: host.now() - 1 }).execute();
    expect((await again()).body.id).toBe(made.body.id);
    // A lease in the far future: the clock was set back.
    await rows.set({ ...crashed, claimed_until: host.now() + 3_600_000_000 }).execute();
    expect((await again()).body.id).toBe(made.body.id);
    expect(await countDrafts(host)).toBe(1);
  });
});

describe("calls that bring secrets (security 11)", () => {
  test.each([
    ["/api/change-password", { password: "correct horse", new_password: "battery staple" }],
    ["/api/login", { username: "alice", password: 5 }],
    ["/api/tokens", { username: "alice", password: "correct horse", name: "" }],
  ])("POST %s with a key leaves no digest that could be guessed", async (path, sent) => {
    const api = await startApi();
    const alice = await api.as("alice");
    await api.server.services.signIn.resetPassword(await api.idOf("alice"), "correct horse");
    const answer = await alice.post(path, sent, withKey("secret"));
    expect([200, 400]).toContain(answer.status);
    const text = `POST\n${path}\n${JSON.stringify(sent)}`;
    const rows = await api.server.host.db.selectFrom("idempotency").selectAll().execute();
    expect(rows.length).toBe(1);
    const keyed = createHmac("sha256", folderSecret(api.dataDir)).update(text).digest("hex");
    expect(rows[0]?.digest.startsWith(keyed)).toBe(true);
    expect(JSON.stringify(rows)).not.toContain(createHash("sha256").update(text).digest("hex"));
    expect(isReplayed(await alice.post(path, sent, withKey("secret")))).toBe(true);
  });

  test("the secret is its user's alone and outlives a restart", async () => {
    const folder = await mkdtemp(join(tmpdir(), "carrel-secret-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const secret = folderSecret(folder);
    expect(secret.length).toBe(32);
    expect(folderSecret(folder)).toEqual(secret);
    expect((await stat(join(folder, "secret.key"))).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(["secret.key"]);
  });
});
