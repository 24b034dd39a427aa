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
    must(await alice.post("/api/records", body, withKey("k3")), 201);
    expect((await alice.delete(doi, undefined, withKey("k3"))).status).toBe(422);
    expect((await alice.get(`/api/records/${id}/draft`)).body.pids.doi).toBeDefined();
  });

  test("an answer that shows a secret is stored nowhere", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const made = must(await alice.post("/api/tokens", { name: "t" }, withKey("k4")), 201);
    const replica = role === "replica" ? [(await api.replicaOf("alice")).host.db] : [];
    for (const db of [api.server.host.db, ...replica]) {
      const rows = await db.selectFrom("idempotency").selectAll().execute();
      expect(JSON.stringify(rows)).not.toContain(made.body.token);
    }
  });
});
