import { describe, expect, test } from "vitest";
import { roles, startApi } from "../support/api.ts";
import { fileOf, filesOf, givenDraft, must } from "../support/files.ts";
import type { Answer } from "../support/http-client.ts";

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

  test("hosts 6: Idempotency-Key: 1 to 255 characters; of each person her own; a refusal is answered again too", async () => {
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
    const gone = await alice.put(unknown, {}, withKey("unknown"));
    expect([gone.status, isReplayed(gone)]).toEqual([404, true]);
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
