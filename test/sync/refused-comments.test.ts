import { expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { comment, givenSubmitted } from "../support/reviews.ts";
import { pause, replicaOf, resume, stateOf, synced, trayOf } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

/** An offline comment with an edit and a reply, refused because the reviewer locked the conversation. */
async function givenRefused() {
  const api = await startApi("server");
  const a = await replicaOf(api, "alice");
  const { request } = await givenSubmitted(api, "alice", "bob");
  const bob = await api.as("bob");
  await until(async () => (await a.get(`/api/requests/${request}`)).status === 200, "request");
  await pause(a);
  const comments = `/api/requests/${request}/comments`;
  const note = must(await a.post(comments, comment("First words")), 201).body;
  must(await a.post(`${comments}/${note.id}/reply`, comment("A reply")), 201);
  must(await a.put(`${comments}/${note.id}`, comment("Better words")), 200);
  must(await bob.post(`/api/requests/${request}/lock`), 204);
  await resume(a);
  return { a, bob, request, comments, note };
}

const waitingOf = async (client: HttpClient) =>
  (await client.get("/api/sync/operations")).body.hits.hits.map(
    ({ kind, reason }: { kind: string; reason: string }) => [kind, reason],
  );

const refusedOf = async (client: HttpClient) =>
  (await trayOf(client)).map(({ kind, reason }: { kind: string; reason: string }) => [kind, reason]);

const textsOf = async (client: HttpClient, request: string) =>
  (await client.get(`/api/requests/${request}/timeline?q=type:C`)).body.hits.hits.map(
    ({ payload, children }: { payload: { content: string }; children: { payload: { content: string } }[] }) => [
      payload.content,
      ...children.map((reply) => reply.payload.content),
    ],
  );

test("a comment is refused: 'only operations that need it wait', its edit and its reply, and a retry delivers all (hosts-and-sync 4)", async () => {
  const { a, bob, request, comments } = await givenRefused();
  expect(await refusedOf(a)).toEqual([["comment.create", "The conversation is locked."]]);
  const because = expect.stringMatching(/^It waits for what was refused before: Comment on /);
  expect(await waitingOf(a)).toEqual([
    ["comment.create", because],
    ["comment.update", because],
  ]);
  expect(await stateOf(a)).toBe("needs_you");
  must(await bob.post(`/api/requests/${request}/unlock`), 204);
  await until(async () => (await a.get(`/api/requests/${request}`)).body.is_locked === false, "unlocked");
  must(await a.post(comments, comment("Another comment")), 201);
  await until(async () => (await textsOf(bob, request)).length === 1, "the rest goes on");
  const [entry] = await trayOf(a);
  must(await a.post(`/api/sync/tray/${entry.id}/retry`), 200);
  await until(async () => (await stateOf(a)) === "up_to_date", "delivered");
  expect((await textsOf(bob, request)).sort()).toEqual([["Another comment"], ["Better words", "A reply"]]);
});

test("the copy of a refused comment has its latest words, and the reply to a discarded one goes to the tray (hosts-and-sync 8, Copy)", async () => {
  const { a } = await givenRefused();
  const [entry] = await trayOf(a);
  const copy = must(await a.post(`/api/sync/tray/${entry.id}/copy`), 201).body;
  expect(copy.content).toBe("Better words");
  must(await a.delete(`/api/sync/tray/${entry.id}`), 204);
  await until(async () => (await trayOf(a)).length > 0, "reply");
  await synced(a);
  expect(await waitingOf(a)).toEqual([]);
  const [reply, ...others] = await trayOf(a);
  expect(others).toEqual([]);
  expect((await a.post(`/api/sync/tray/${reply.id}/copy`)).body.content).toBe("A reply");
});
