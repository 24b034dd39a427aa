import { describe, expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { givenSubmitted } from "../support/reviews.ts";
import { pause, replicaOf, resume, synced, trayOf } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

describe("unsent comments (hosts-and-sync 8, Copy)", () => {
  test("each editor of a request saves its own text and files; an empty one is deleted", async () => {
    const api = await startApi("server");
    const a = await replicaOf(api, "alice");
    const path = "/api/sync/comment-drafts/0f0e0d0c-0b0a-4908-8706-050403020100";
    const file = { id: "0f0e0d0c-0b0a-4908-8706-050403020101", key: "a-x.txt", name: "a.txt", size: 3 };
    expect((await a.get(path)).body).toEqual({ content: "", files: [] });
    await a.put(path, { content: "<p>whole</p>" });
    await a.put(`${path}/reply-1`, { content: "<p>reply</p>", files: [file] });
    expect((await a.get(path)).body).toEqual({ content: "<p>whole</p>", files: [] });
    expect((await a.get(`${path}/reply-1`)).body).toEqual({ content: "<p>reply</p>", files: [file] });
    await a.put(`${path}/reply-1`, { content: "" });
    expect((await a.get(`${path}/reply-1`)).body).toEqual({ content: "", files: [] });
    for (const bad of [{}, { content: 1 }, { content: "", files: [{ id: "x" }] }])
      expect((await a.put(path, bad)).status).toBe(400);
    expect((await a.get(path)).body.content).toBe("<p>whole</p>");
  });

  test("merges what another window saved meanwhile and answers with the merged text (fault 12)", async () => {
    const api = await startApi("server");
    const a = await replicaOf(api, "alice");
    const path = "/api/sync/comment-drafts/0f0e0d0c-0b0a-4908-8706-050403020100";
    const blank = { content: "", files: [] };
    const keep = async (content: string, base: string) =>
      (await a.put(path, { content, base: { content: base, files: [] } })).body.content;
    expect(await keep("<p>one</p>", "")).toBe("<p>one</p>");
    expect(await keep("<p>two</p>", "")).toBe("<p>one</p><p>two</p>");
    expect(await keep("<p>one, more</p>", "<p>one</p>")).toBe("<p>one, more</p><p>two</p>");
    // Sent from one window, while the other had added nothing: it is gone from both.
    expect(await keep("", "<p>one, more</p><p>two</p>")).toBe("");
    expect(await keep("<p>one, more</p><p>two</p>", "<p>one, more</p><p>two</p>")).toBe("");
    expect((await a.get(path)).body).toEqual(blank);
    expect((await a.put(path, { content: "", base: { content: 1 } })).status).toBe(400);
  });

  test("a rejected comment that is copied back joins the text in the editor, with its files", async () => {
    const api = await startApi("server");
    const a = await replicaOf(api, "alice");
    const { request } = await givenSubmitted(api, "alice", "bob");
    const bob = await api.as("bob");
    await until(async () => (await a.get(`/api/requests/${request}`)).status === 200, "request");
    const { body: file } = await a.putBytes(`/api/requests/${request}/files/upload/log.txt`, "bytes");
    await synced(a);
    await pause(a);
    const payload = { content: "<p>Refused</p>", files: [{ file_id: file.id }] };
    expect((await a.post(`/api/requests/${request}/comments`, { payload })).status).toBe(201);
    await bob.post(`/api/requests/${request}/lock`);
    await resume(a);
    await a.put(`/api/sync/comment-drafts/${request}`, { content: "<p>Half</p>" });
    const [entry] = await trayOf(a);
    for (let time = 0; time < 2; time++) {
      expect((await a.post(`/api/sync/tray/${entry.id}/copy`)).status).toBe(201);
      expect((await a.get(`/api/sync/comment-drafts/${request}`)).body).toEqual({
        content: "<p>Half</p><p>Refused</p>",
        files: [{ id: file.id, key: file.key, name: "log.txt", size: 5 }],
      });
    }
  });

  test("a replica knows its user's groups, so that the app offers only permitted actions", async () => {
    const api = await startApi("server");
    const a = await replicaOf(api, "alice");
    const id = (await a.get("/api/me")).body.id;
    expect((await a.get("/api/sync/person")).body).toEqual({ id, groups: [] });
    const boss = await api.onServer("admin");
    await boss.post(`/api/users/${id}/groups`, { groups: ["administration-moderation"] });
    await until(async () => (await a.get("/api/sync/person")).body.groups.length > 0, "the group");
    expect((await a.get("/api/sync/person")).body.groups).toEqual(["administration-moderation"]);
  });
});
