import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { sweepServer } from "../../server/sweep-job.ts";
import { type Api, startApi } from "../support/api.ts";
import { fileOf, filesOf, givenDraft, must } from "../support/files.ts";
import { HttpClient, roundRobin } from "../support/http-client.ts";
import { openRequest, send, statusLine } from "../support/raw-request.ts";
import { givenSubmitted } from "../support/reviews.ts";
import { until } from "../support/until.ts";

const settings = { user_quota_bytes: 1000 };
const bytes = (count: number, fill = "x") => fill.repeat(count);
const usedUp = { status: 507, body: { message: expect.stringMatching(/quota of 1000 bytes is used up/) } };

async function givenFile(client: HttpClient, id: string, key: string, content: string): Promise<void> {
  must(await client.post(filesOf(id), [{ key }]), 201);
  must(await client.putBytes(`${fileOf(id, key)}/content`, content), 200);
  must(await client.post(`${fileOf(id, key)}/commit`), 200);
}

const used = async (api: Api, name: string): Promise<number> =>
  api.server.services.quota.usedBy(api.server.host.db, await api.idOf(name));

describe("the storage quota of a person (security 8)", () => {
  test("files of all drafts count, before their commit too; more is 507 with a reason and loses nothing", async () => {
    const api = await startApi("server", { settings });
    const alice = await api.as("alice");
    const one = await givenDraft(alice);
    const other = await givenDraft(alice);
    await givenFile(alice, one, "a.bin", bytes(600));
    must(await alice.post(filesOf(other), [{ key: "b.bin" }, { key: "c.bin" }]), 201);
    must(await alice.putBytes(`${fileOf(other, "b.bin")}/content`, bytes(300, "b")), 200);
    expect(await used(api, "alice")).toBe(900);
    expect(await alice.putBytes(`${fileOf(other, "c.bin")}/content`, bytes(101, "c"))).toMatchObject(usedUp);
    expect(await used(api, "alice")).toBe(900);
    must(await alice.putBytes(`${fileOf(other, "c.bin")}/content`, bytes(100, "c")), 200);
    must(await alice.delete(fileOf(one, "a.bin")), 204);
    must(await alice.putBytes(`${fileOf(other, "c.bin")}/content`, bytes(500, "d")), 200);
    const bob = await api.as("bob");
    await givenFile(bob, await givenDraft(bob), "a.bin", bytes(1000, "z"));
  });

  test("each of several processes counts what the others took at once (security 8, scale 2)", async () => {
    const api = await startApi("server", { settings, isScaled: true });
    const { token } = await api.person("alice");
    const [first, second] = [new HttpClient(api.server.url, token), new HttpClient(api.secondUrl, token)];
    const id = await givenDraft(first);
    must(
      await first.post(
        filesOf(id),
        ["a.bin", "b.bin", "c.bin"].map((key) => ({ key })),
      ),
      201,
    );
    must(await first.putBytes(`${fileOf(id, "a.bin")}/content`, bytes(600, "a")), 200);
    must(await second.putBytes(`${fileOf(id, "b.bin")}/content`, bytes(300, "b")), 200);
    for (const client of [first, second]) {
      expect(await client.putBytes(`${fileOf(id, "c.bin")}/content`, bytes(101, "c"))).toMatchObject(usedUp);
      expect((await client.get("/api/user/storage")).body.used_bytes).toBe(900);
    }
  });

  test("an upload under way counts once at another process: what it stores, and what it may still store", async () => {
    const api = await startApi("server", { settings: { user_quota_bytes: 1_000_000 }, isScaled: true });
    const alice = await api.atOneProcess("alice");
    const second = new HttpClient(api.secondUrl, (await api.person("alice")).token);
    const id = await givenDraft(alice);
    must(await alice.post(filesOf(id), [{ key: "a.bin" }, { key: "b.bin" }]), 201);
    const path = `${fileOf(id, "a.bin")}/content`;
    const headers = { "content-type": "application/octet-stream", authorization: alice.authorization };
    const slow = await openRequest(alice.url, {
      method: "PUT",
      path,
      headers: { ...headers, "upload-complete": "?1", "content-length": "600000" },
    });
    const answer = statusLine(slow);
    await send(slow, Buffer.alloc(500_000));
    const rooms = () => api.server.host.db.selectFrom("upload_room").select(["start", "bytes"]).execute();
    await until(async () => (await rooms()).length === 1, "it has its room");
    expect(await rooms()).toEqual([{ start: 0, bytes: 600_000 }]);
    expect(await second.putBytes(`${fileOf(id, "b.bin")}/content`, bytes(400_001, "b"))).toMatchObject({ status: 507 });
    must(await second.putBytes(`${fileOf(id, "b.bin")}/content`, bytes(400_000, "b")), 200);
    await send(slow, Buffer.alloc(100_000));
    expect(await answer).toContain("200");
    expect(await used(api, "alice")).toBe(1_000_000);
    await until(async () => (await rooms()).length === 0, "no room is left");
  });

  test("without a length the body is counted while it comes; an upload that can resume keeps what fits", async () => {
    const api = await startApi("server", { settings });
    const alice = await api.as("alice");
    const id = await givenDraft(alice);
    must(await alice.post(filesOf(id), [{ key: "a.bin" }]), 201);
    const stream = (headers: Record<string, string>) =>
      fetch(`${alice.url}${fileOf(id, "a.bin")}/content`, {
        method: "PUT",
        headers: { authorization: alice.authorization, "content-type": "application/octet-stream", ...headers },
        body: Readable.toWeb(Readable.from([Buffer.alloc(700), Buffer.alloc(700)])) as ReadableStream,
        duplex: "half",
      } as RequestInit);
    expect((await stream({})).status).toBe(507);
    expect(await used(api, "alice")).toBe(0);
    expect((await stream({ "upload-complete": "?1" })).status).toBe(507);
    expect(await used(api, "alice")).toBeLessThanOrEqual(1000);
    must(await alice.putBytes(`${fileOf(id, "a.bin")}/content`, bytes(200)), 200);
  });

  test.each([false, true])("many uploads at once do not pass it together (several processes: %s)", async (isScaled) => {
    const api = await startApi("server", { settings, isScaled });
    const { token } = await api.person("alice");
    const alice = new HttpClient(
      api.server.url,
      token,
      undefined,
      roundRobin([api.server.url, ...(isScaled ? [api.secondUrl] : [])]),
    );
    const id = await givenDraft(alice);
    const keys = Array.from({ length: 8 }, (_, n) => `${n}.bin`);
    must(
      await alice.post(
        filesOf(id),
        keys.map((key) => ({ key })),
      ),
      201,
    );
    const answers = await Promise.all(
      keys.map((key) => alice.putBytes(`${fileOf(id, key)}/content`, bytes(300, key.charAt(0)))),
    );
    const kept = answers.filter(({ status }) => status === 200).length;
    expect(kept).toBe(3);
    expect(answers.filter(({ status }) => status === 507)).toHaveLength(8 - kept);
    expect(await used(api, "alice")).toBeLessThanOrEqual(1000);
  });

  test("the person is shown what they store and may store; a replica passes the question on (security 8)", async () => {
    const api = await startApi("replica", { settings });
    const alice = await api.withSettings("alice");
    const onServer = await api.onServer("alice");
    expect((await alice.get("/api/user/storage")).body).toEqual({ quota_bytes: 1000, used_bytes: 0 });
    const id = await givenDraft(onServer);
    await givenFile(onServer, id, "a.bin", bytes(600));
    for (const client of [alice, onServer])
      expect((await client.get("/api/user/storage")).body).toEqual({ quota_bytes: 1000, used_bytes: 600 });
    expect((await api.anonymous.get("/api/user/storage")).status).toBe(403);
  });

  test("bytes that replicas send and attachments count; equal bytes of versions count once", async () => {
    const api = await startApi("server", { settings });
    const { request } = await givenSubmitted(api, "alice", "bob");
    const bob = await api.as("bob");
    const upload = `/api/requests/${request}/files/upload`;
    must(await bob.putBytes(`${upload}/a.txt`, bytes(800, "a")), 200);
    expect(await used(api, "bob")).toBe(800);
    expect(await bob.putBytes(`${upload}/b.txt`, bytes(300, "b"))).toMatchObject(usedUp);
    const sha256 = "0".repeat(64);
    expect(await bob.putBytes(`/api/sync/blobs/${sha256}`, bytes(300, "c"))).toMatchObject(usedUp);
    must(await bob.putBytes(`${upload}/again.txt`, bytes(200, "a")), 200);
    expect(await used(api, "bob")).toBe(1000);
    expect(await used(api, "alice")).toBe(0);
  });

  test("what a replica sends beyond it goes to the tray with the reason, and the rest is sent (hosts-and-sync 8)", async () => {
    const api = await startApi("replica", { settings });
    const alice = await api.withSettings("alice");
    const id = await givenDraft(alice);
    await givenFile(alice, id, "large.bin", bytes(1001));
    await givenFile(alice, id, "small.bin", bytes(500, "s"));
    const { hits } = (await alice.get("/api/sync/tray")).body.hits;
    expect(hits).toMatchObject([{ object: { id }, reason: expect.stringMatching(/quota of 1000 bytes is used up/) }]);
    expect((await alice.get("/api/sync/status")).body).toMatchObject({ state: "needs_you", pending: 0, rejected: 1 });
    const onServer = (await (await api.onServer("alice")).get(filesOf(id))).body.entries;
    expect(onServer.map(({ key, status }: { key: string; status: string }) => `${key} ${status}`)).toContain(
      "small.bin completed",
    );
    const sha256 = createHash("sha256").update(bytes(1001)).digest("hex");
    expect(await (await api.replicaOf("alice")).host.blobs.has(sha256)).toBe(true);
  });
});

describe("what a person may have at most (security 8)", () => {
  test("1000 live tokens, then 400 in words until one is revoked; 100 sessions, the oldest end", async () => {
    const api = await startApi();
    const id = await api.idOf("alice");
    const { host, services } = api.server;
    const row = { user_id: id, name: "t", scopes: "read", by_password: 0, last_used_at: null };
    const end = { created: host.now(), expires_at: null, revoked_at: null };
    for (let n = 1; n < 1000; n += 1) {
      await host.db
        .insertInto("token")
        .values({ ...row, ...end, id: `t${n}`, digest: `d${n}` })
        .execute();
    }
    const alice = await api.as("alice");
    const refused = await alice.post("/api/tokens", { name: "one more" });
    expect(refused).toMatchObject({ status: 400, body: { message: expect.stringMatching(/1000 tokens already/) } });
    must(await alice.delete("/api/tokens/t1"), 204);
    must(await alice.post("/api/tokens", { name: "one more" }), 201);
    const password = "a horse of many stables";
    await services.signIn.resetPassword(id, password);
    const session = {
      user_id: id,
      csrf_token: "c",
      expires_at: host.now() + 1e12,
      user_agent: "",
      address: "",
      last_used: 0,
    };
    for (let n = 0; n < 120; n += 1) {
      await host.db
        .insertInto("session")
        .values({ ...session, digest: `s${n}`, created: n })
        .execute();
    }
    must(await api.anonymous.post("/api/login", { username: "alice", password }), 200);
    const left = await host.db.selectFrom("session").select("digest").orderBy("created").execute();
    expect([left.length, left[0]?.digest]).toEqual([100, "s21"]);
  });
});

describe("the periodic sweep (security 8)", () => {
  test("ended sessions, old calls, ended tokens, refused results and leases beyond the bound go; the rest stays", async () => {
    const api = await startApi();
    const id = await api.idOf("alice");
    const { host, services } = api.server;
    const { db } = host;
    const old = host.now() - 100 * 86_400 * 1_000_000;
    const token = { user_id: id, name: "t", scopes: "read", by_password: 0, last_used_at: null };
    const ended = { ...token, id: "ended", digest: "d1", created: old, expires_at: old, revoked_at: null };
    await db.insertInto("token").values(ended).execute();
    const session = { user_id: id, csrf_token: "c", created: old, user_agent: "", address: "", last_used: old };
    await db
      .insertInto("session")
      .values([{ ...session, digest: "s1", expires_at: old }])
      .execute();
    const result = { user_id: id, digest: "d", result: "null", seq: 1, created: old };
    await db
      .insertInto("operation_result")
      .values([
        { ...result, id: "r1", outcome: "rejected" as const },
        { ...result, id: "r2", outcome: "applied" as const },
      ])
      .execute();
    for (let at = 0; at < 6000; at += 500) {
      const rows = Array.from({ length: 500 }, (_, n) => ({ id: `lease-${at + n}`, user_id: id, created: at + n }));
      await db.insertInto("id_lease").values(rows).execute();
    }
    // A clock that was ahead made it: it counts as the oldest.
    const ahead = host.now() + 86_400 * 1_000_000;
    await db.insertInto("id_lease").values({ id: "lease-ahead", user_id: id, created: ahead }).execute();
    const tokens = (await db.selectFrom("token").selectAll().execute()).length;
    await sweepServer(host, services);
    expect(await db.selectFrom("token").selectAll().execute()).toHaveLength(tokens - 1);
    expect(await db.selectFrom("session").selectAll().execute()).toEqual([]);
    expect(await db.selectFrom("operation_result").select("id").execute()).toEqual([{ id: "r2" }]);
    const leases = await db.selectFrom("id_lease").select("id").orderBy("created").execute();
    expect([leases.length, leases[0]?.id, leases.at(-1)?.id]).toEqual([5000, "lease-1000", "lease-5999"]);
    expect((await (await api.as("alice")).get("/api/me")).status).toBe(200);
  });
});
