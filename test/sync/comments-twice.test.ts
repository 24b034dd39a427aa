import { expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { comment, givenSubmitted } from "../support/reviews.ts";
import { pause, replicaOf, resume, trayOf } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

const changed = "The comment was changed elsewhere meanwhile: look at it again.";

/** A comment on two replicas of its author that are offline. */
async function givenComment() {
  const api = await startApi("server");
  const { request } = await givenSubmitted(api, "ada", "bob");
  const [a, b] = [await replicaOf(api, "ada"), await replicaOf(api, "ada")];
  const comments = `/api/requests/${request}/comments`;
  await until(async () => (await a.get(`/api/requests/${request}`)).status === 200, "request");
  const { id } = must(await a.post(comments, comment("Original")), 201).body;
  const path = `${comments}/${id}`;
  await until(async () => (await b.get(path)).status === 200, "comment");
  await resume(a, b);
  await pause(a, b);
  return { api, a, b, server: await api.onServer("ada"), path };
}

const textOf = async (client: HttpClient, path: string) => (await client.get(path)).body.payload?.content;
const ifMatch = async (client: HttpClient, path: string) => ({
  headers: { "if-match": `"${(await client.get(path)).body.revision_id}"` },
});

test.each(["without", "with"])(
  "a comment edited on two replicas %s If-Match: the later text is kept in the tray, and a retry replaces the other (hosts-and-sync 4)",
  async (how) => {
    const { a, b, server, path } = await givenComment();
    const options = async (client: HttpClient) => (how === "with" ? ifMatch(client, path) : {});
    must(await a.put(path, comment("By A"), await options(a)), 200);
    must(await b.put(path, comment("By B"), await options(b)), 200);
    await resume(a, b);
    for (const host of [server, a, b]) expect(await textOf(host, path)).toBe("By A");
    expect(await trayOf(a)).toEqual([]);
    const [entry, ...others] = await trayOf(b);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ kind: "comment.update", reason: changed });
    expect(JSON.stringify(entry.operation)).toContain("By B");
    must(await b.post(`/api/sync/tray/${entry.id}/retry`), 200);
    await until(async () => (await textOf(server, path)) === "By B", "replaced");
    await until(async () => (await trayOf(b)).length === 0, "tray empty");
  },
);

test("several edits of one comment offline are sent in order; the same text from elsewhere is no conflict (hosts-and-sync 4)", async () => {
  const { a, b, server, path } = await givenComment();
  for (const text of ["One", "Two", "Three"]) must(await b.put(path, comment(text)), 200);
  must(await a.put(path, comment("Three")), 200);
  await resume(b, a);
  for (const host of [server, a, b]) expect(await textOf(host, path)).toBe("Three");
  for (const replica of [a, b]) expect(await trayOf(replica)).toEqual([]);
});

test("a comment edited here and deleted there: the edit that arrived stays until the user repeats the deletion (hosts-and-sync 4)", async () => {
  const { a, b, server, path } = await givenComment();
  must(await a.put(path, comment("Longer")), 200);
  must(await b.delete(path), 204);
  await resume(a, b);
  expect(await textOf(server, path)).toBe("Longer");
  const [entry] = await trayOf(b);
  expect(entry).toMatchObject({ kind: "comment.delete", reason: changed });
  must(await b.post(`/api/sync/tray/${entry.id}/retry`), 200);
  await until(async () => (await server.get(path)).body.type === "L", "deleted");
  await until(async () => (await trayOf(b)).length === 0, "tray empty");
});

test("a comment that was deleted on two computers is deleted, and nothing waits for the user (hosts-and-sync 4)", async () => {
  const { a, b, server, path } = await givenComment();
  must(await a.delete(path), 204);
  must(await b.delete(path), 204);
  await resume(a, b);
  for (const replica of [a, b]) expect(await trayOf(replica)).toEqual([]);
  for (const host of [server, a, b]) expect((await host.get(path)).body).toMatchObject({ type: "L", revision_id: 2 });
});

test("an edit of a comment that was deleted meanwhile is in the tray with the reason (hosts-and-sync 4)", async () => {
  const { a, b, path } = await givenComment();
  must(await a.delete(path), 204);
  must(await b.put(path, comment("Too late")), 200);
  await resume(a, b);
  const [entry] = await trayOf(b);
  expect(entry).toMatchObject({ kind: "comment.update", reason: "The comment was deleted." });
  expect(JSON.stringify(entry.operation)).toContain("Too late");
});
