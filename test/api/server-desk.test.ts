import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { deskService } from "../../shared/desk/desk.service.ts";
import { type Api, roles, startApi } from "../support/api.ts";
import type { HttpClient } from "../support/http-client.ts";
import { givenDraft, givenRecord, withoutFiles } from "../support/records.ts";

interface Heard {
  event: string;
  body: Record<string, unknown>;
}

/** Listens like a window. @returns the events so far. */
async function listen({ url, authorization }: HttpClient): Promise<() => Heard[]> {
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  const { body } = await fetch(`${url}/api/sync/events`, { headers: { authorization }, signal: ended.signal });
  let text = "";
  const read = async () => {
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk;
  };
  read().catch(() => undefined);
  await expect.poll(() => text).toContain(": carrel");
  return () =>
    [...text.matchAll(/event: (\w+)\ndata: (.*)\n\n/g)].map(([, event = "", data = ""]) => ({
      event,
      body: JSON.parse(data),
    }));
}

const changesIn = (heard: Heard[]) =>
  heard.filter(({ event }) => event === "changed").map(({ body }) => `${body.kind} ${body.id}`);
const peopleIn = (heard: Heard[], draft: string) => {
  const last = heard.findLast(({ event, body }) => event === "presence" && body.draft === draft);
  return ((last?.body.people ?? []) as { name: string; field: string | null }[]).map(({ name, field }) => [
    name,
    field,
  ]);
};

describe.each(roles)("notes and unsent comments on the %s (web 5)", (role) => {
  let api: Api;
  let alice: HttpClient;
  let bob: HttpClient;
  beforeAll(async () => {
    api = await startApi(role);
    alice = await api.as("alice");
    bob = await api.as("bob");
  });
  afterAll(() => api.close());

  test("notes belong to one person, and each is kept by itself", async () => {
    const value = { name: "Kelp", search: "?q=kelp" };
    expect((await alice.put("/api/sync/desk/searches/a", { value })).body).toEqual({ key: "a", value });
    await bob.put("/api/sync/desk/searches/a", { value: { name: "Ice" } });
    expect((await alice.get("/api/sync/desk/searches")).body).toEqual({ notes: [{ key: "a", value }] });
    expect((await bob.get("/api/sync/desk/searches/a")).body.value).toEqual({ name: "Ice" });
    await bob.delete("/api/sync/desk/searches/a");
    expect((await alice.get("/api/sync/desk/searches/a")).status).toBe(200);
  });

  test("templates of drafts are the user's own, of at most a million characters (app, missing 7)", async () => {
    const value = { name: "Counts", metadata: { title: "Plankton counts" }, custom_fields: {}, access: {} };
    const path = "/api/sync/desk/templates/counts";
    expect((await alice.put(path, { value })).status).toBe(200);
    expect((await alice.get("/api/sync/desk/templates")).body.notes).toEqual([{ key: "counts", value }]);
    const tooLong = { ...value, metadata: { title: "x".repeat(1_000_000) } };
    expect((await alice.put(path, { value: tooLong })).status).toBe(400);
    expect((await alice.get(path)).body.value).toEqual(value);
    expect((await alice.delete(path)).status).toBe(204);
  });

  test("at most 500 notes of a shelf are kept; the refused one changes nothing", async () => {
    for (let number = 0; number < 500; number++) await bob.put(`/api/sync/desk/mutes/n${number}`, { value: {} });
    const refused = await bob.put("/api/sync/desk/mutes/more", { value: {} });
    expect([refused.status, refused.body.message]).toEqual([400, "At most 500 can be kept. Remove some first."]);
    expect((await bob.put("/api/sync/desk/mutes/n1", { value: {} })).status).toBe(200);
    expect((await bob.get("/api/sync/desk/mutes")).body.notes).toHaveLength(500);
  });

  test("a large shelf is read note by note, and its size is bounded (security 6)", async () => {
    const desk = deskService(api.server.host.db);
    const cara = await api.as("cara");
    const value = { text: "x".repeat(900_000) };
    for (const key of ["a", "b", "c"]) await cara.put(`/api/sync/desk/reviews/${key}`, { value });
    const owner = role === "server" ? await api.idOf("cara") : undefined;
    if (owner !== undefined) {
      const keys: string[] = [];
      for await (const { key } of desk.list(owner, "reviews")) {
        keys.push(key);
        // The rest is not in memory yet.
        await desk.remove(owner, "reviews", "b");
      }
      expect(keys).toEqual(["a", "c"]);
    }
    const statuses: number[] = [];
    for (let number = 0; number < 22; number++)
      statuses.push((await cara.put(`/api/sync/desk/reviews/n${number}`, { value })).status);
    expect([statuses[0], statuses.at(-1)]).toEqual([200, 400]);
    const { notes } = (await cara.get("/api/sync/desk/reviews")).body;
    expect(notes.length * 900_000).toBeLessThan(20_000_000);
    expect(notes[0]).toEqual({ key: "a", value });
    const pretty = await cara.get("/api/sync/desk/searches?prettyprint=1");
    expect(pretty.text).toBe('{\n  "notes": []\n}');
    await cara.put("/api/sync/desk/searches/a", { value: { name: "Kelp" } });
    expect((await cara.get("/api/sync/desk/searches?prettyprint=1")).text).toBe(
      JSON.stringify({ notes: [{ key: "a", value: { name: "Kelp" } }] }, null, 2),
    );
  });

  test("unsent comments of one person are merged between their windows, and nobody else reads them", async () => {
    const path = "/api/sync/comment-drafts/0f0e0d0c-0b0a-4908-8706-050403020100";
    const base = { content: "", files: [] };
    await alice.put(path, { content: "<p>one</p>", base });
    const merged = await alice.put(path, { content: "<p>two</p>", base });
    expect(merged.body.content).toBe("<p>one</p><p>two</p>");
    expect((await bob.get(path)).body).toEqual(base);
  });

  test("the person and their groups; conflicts are theirs", async () => {
    const { body } = await alice.get("/api/sync/person");
    expect(body).toEqual({ id: await api.idOf("alice"), groups: [] });
    expect((await alice.get("/api/sync/conflicts")).body.hits.total).toBe(0);
  });
});

describe("events of the server (web 5)", () => {
  let api: Api;
  let alice: HttpClient;
  let bob: HttpClient;
  beforeAll(async () => {
    api = await startApi("server");
    alice = await api.as("alice");
    bob = await api.as("bob");
  });
  afterAll(() => api.close());

  test("a window hears what its person may read, as it changes, and nothing else", async () => {
    const id = await givenRecord(alice);
    const [hers, his] = [await listen(alice), await listen(bob)];
    const other = await givenDraft(alice);
    await alice.post(`/api/records/${id}/draft`);
    await expect.poll(() => changesIn(hers())).toContain(`draft ${id}`);
    expect(changesIn(hers())).toContain(`draft ${other}`);
    await bob.put("/api/sync/desk/looks/activity", { value: {} });
    await expect.poll(() => changesIn(his())).toEqual(["desk looks"]);
    expect(changesIn(hers())).not.toContain("desk looks");
  });

  test("who may only view a family hears nothing of its drafts", async () => {
    const id = await givenRecord(alice, { ...withoutFiles, access: { record: "restricted", files: "public" } });
    const grants = [{ permission: "view", subject: { type: "user", id: await api.idOf("bob") } }];
    await alice.post(`/api/records/${id}/access/grants`, { grants });
    const his = await listen(bob);
    await alice.post(`/api/records/${id}/draft`);
    await expect.poll(() => changesIn(his())).toContain(`record ${id}`);
    expect(changesIn(his()).filter((change) => change.startsWith("draft"))).toEqual([]);
  });

  /** All that a stream says whose token is revoked once it is open. */
  async function revokedStream(): Promise<{ said: Promise<string> }> {
    const { body: less } = await alice.post("/api/tokens", { name: "less", scopes: ["read", "write"] });
    const headers = { authorization: `Bearer ${less.token}` };
    const { body } = await fetch(`${api.server.url}/api/sync/events`, { headers });
    const said = new Response(body).text();
    await alice.delete(`/api/tokens/${less.id}`);
    return { said };
  }

  test("one user has at most 30 streams at once, however many are opened at the same moment (issue 15)", async () => {
    const ended = new AbortController();
    onTestFinished(() => ended.abort());
    const headers = { authorization: (await api.as("mallory")).authorization };
    const open = () => fetch(`${api.server.url}/api/sync/events`, { headers, signal: ended.signal });
    const answers = await Promise.all(Array.from({ length: 90 }, open));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused.map((answer) => answer.headers.get("retry-after"))).toEqual(Array(60).fill("30"));
    await listen(bob);
  });

  test("a stream ends when its credential ends", async () => {
    const { said } = await revokedStream();
    await givenDraft(alice);
    expect(await said).not.toContain("event: changed");
  });

  test("a token that was revoked hears nothing of what is in no feed (issue 15)", async () => {
    const { said } = await revokedStream();
    const hers = await listen(alice);
    await alice.put("/api/sync/desk/searches/heard", { value: { name: "Kelp" } });
    await expect.poll(() => hers()).toContainEqual({ event: "changed", body: expect.anything() });
    expect(await said).not.toContain("event: changed");
  });

  test("presence: browsers and replicas see each other, a window that leaves is gone (web 5)", async () => {
    const id = await givenDraft(alice);
    // The seat of a window is at the process that sends its events.
    const here = { alice: await api.atOneProcess("alice"), bob: await api.atOneProcess("bob") };
    const grants = [{ permission: "edit", subject: { type: "user", id: await api.idOf("bob") } }];
    await alice.post(`/api/records/${id}/access/grants`, { grants });
    const [hers, his] = [await listen(alice), await listen(bob)];
    const seat = (window: string) => `/api/sync/presence/${id}/${window}`;
    expect((await here.alice.put(seat("w1"), { field: null })).status).toBe(204);
    expect((await here.bob.put(seat("w2"), { field: "metadata.title" })).status).toBe(204);
    await expect.poll(() => peopleIn(hers(), id)).toEqual([["Bob Example", "metadata.title"]]);
    await expect.poll(() => peopleIn(his(), id)).toEqual([["Alice Example", null]]);
    await here.alice.put(seat("w1"), { field: "metadata.description" });
    await expect.poll(() => peopleIn(his(), id)).toEqual([["Alice Example", "metadata.description"]]);
    const later = await listen(bob);
    await expect.poll(() => peopleIn(later(), id)).toEqual([["Alice Example", "metadata.description"]]);
    await here.alice.delete(seat("w1"));
    await expect.poll(() => peopleIn(his(), id)).toEqual([]);
  });

  test("a seat needs the right to see the draft, and is lost with it", async () => {
    const id = await givenDraft(alice);
    // The seat of a window is at the process that sends its events.
    const here = { alice: await api.atOneProcess("alice"), bob: await api.atOneProcess("bob") };
    const seat = `/api/sync/presence/${id}/w`;
    expect((await here.bob.put(seat, { field: null })).status).toBe(403);
    const bobs = await api.idOf("bob");
    const grants = [{ permission: "preview", subject: { type: "user", id: bobs } }];
    await alice.post(`/api/records/${id}/access/grants`, { grants });
    expect((await here.bob.put(seat, { field: null })).status).toBe(204);
    const hers = await listen(alice);
    await here.alice.put(seat, { field: null });
    await expect.poll(() => peopleIn(hers(), id)).toEqual([["Bob Example", null]]);
    await alice.delete(`/api/records/${id}/access/users/${bobs}`);
    await expect.poll(() => peopleIn(hers(), id)).toEqual([]);
    expect((await here.bob.put(seat, { field: null })).status).toBe(403);
  });
});
