import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Api, startApi } from "../support/api.ts";
import { addFile } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { givenDraft, givenRecord, metadata } from "../support/records.ts";

const events = "/api/sync/events";

/** Listens like a window; returns the objects announced as changed so far. */
async function listen({ url, authorization }: HttpClient): Promise<() => string[]> {
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  const { body } = await fetch(url + events, { headers: { authorization }, signal: ended.signal });
  let text = "";
  const read = async () => {
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk;
  };
  read().catch(() => undefined);
  await expect.poll(() => text).toContain("event: status\n");
  return () =>
    [...text.matchAll(/event: changed\ndata: (.*)\n\n/g)].map(([, data]) => {
      const { kind, id } = JSON.parse(data ?? "");
      return `${kind} ${id}`;
    });
}

describe("GET /api/sync/events (hosts-and-sync 5)", () => {
  let api: Api;
  let alice: HttpClient;
  let there: HttpClient;
  beforeAll(async () => {
    api = await startApi("replica");
    alice = await api.as("alice");
    there = await api.onServer("alice");
  });
  afterAll(() => api.close());

  test("`changed` {kind, id} for each object that sync changed, those that went away among them", async () => {
    const draft = await givenDraft(alice);
    const edited = await givenRecord(alice);
    await there.post(`/api/records/${edited}/draft`);
    const changed = await listen(alice);
    await there.delete(`/api/records/${draft}/draft`);
    await expect.poll(changed).toContain(`draft ${draft}`);
    await there.delete(`/api/records/${edited}/draft`);
    await expect.poll(changed).toContain(`draft ${edited}`);
    expect(changed()).toContain(`record ${edited}`);
  });

  test("`changed` for what any window keeps on this computer, once for each change (fault 12)", async () => {
    const changed = await listen(alice);
    const request = "0f0e0d0c-0b0a-4908-8706-050403020100";
    await alice.put("/api/sync/desk/searches/a", { value: { name: "Sea" } });
    await alice.put(`/api/sync/comment-drafts/${request}/reply-1`, { content: "<p>Hm</p>" });
    await alice.put(`/api/sync/comment-drafts/${request}/reply-1`, { content: "<p>Hm</p>" });
    await alice.put("/api/sync/keeping", (await alice.get("/api/sync/keeping")).body);
    await alice.delete("/api/sync/desk/searches/a");
    const expected = ["desk searches", `comment-draft ${request}`, "keeping rules", "desk searches"];
    await expect.poll(changed).toEqual(expected);
  });

  test("`changed` for somebody whose profile came with what they did, too", async () => {
    const bob = await api.onServer("bob");
    const bobs = await api.idOf("bob");
    const id = await givenDraft(bob);
    const subject = { type: "user", id: await api.idOf("alice") };
    await bob.post(`/api/records/${id}/access/grants`, { grants: [{ permission: "edit", subject }] });
    await expect.poll(async () => (await alice.get(`/api/records/${id}/draft`)).status).toBe(200);
    expect((await bob.put("/api/me", { full_name: "Robert Hale" })).status).toBe(200);
    const changed = await listen(alice);
    const { body } = await bob.get(`/api/records/${id}/draft`);
    await bob.put(`/api/records/${id}/draft`, { ...body, metadata: { ...body.metadata, title: "A later title" } });
    await expect.poll(changed).toContain(`draft ${id}`);
    expect(changed()).toContain(`user ${bobs}`);
  });

  test("`changed` when the files of a record have arrived here, also of one that came just after the last look for files", async () => {
    const draft = async () => {
      const id = await givenDraft(there, { metadata, files: { enabled: true } });
      await addFile(there, id, "a.txt", `twelve bytes of ${id}`);
      return id;
    };
    const first = await draft();
    const changed = await listen(alice);
    await alice.put("/api/sync/keeping", { own: "always" });
    await expect.poll(changed).toContain(`storage ${first}`);
    const second = await draft();
    await expect.poll(changed, { timeout: 40_000 }).toContain(`storage ${second}`);
    expect((await alice.get(`/api/sync/storage`)).body.cached).toBe(2 * "twelve bytes of abcde-12345".length);
  });

  test("HEAD is as GET without body (search-and-conventions 11)", async () => {
    const head = await alice.head(events);
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(head.headers.get("content-type")).toBe("text/event-stream");
  });
});
