import { expect, test } from "vitest";
import { roles, startApi } from "../support/api.ts";
import { givenDraft, givenRecord, publish, withoutFiles } from "../support/records.ts";

const withTitle = (title: string) => ({ ...withoutFiles, metadata: { ...withoutFiles.metadata, title } });

test.each(roles)(
  "an ETag of the earlier version is not 304 at versions/latest, on the %s (search 11)",
  async (role) => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const first = await givenDraft(alice);
    await alice.put(`/api/records/${first}/draft`, withTitle("The first version"));
    await publish(alice, first);
    const latest = `/api/records/${first}/versions/latest`;
    const etag = (await alice.get(latest)).headers.get("etag") ?? "";
    const { body: next } = await alice.post(`/api/records/${first}/versions`);
    await alice.put(`/api/records/${next.id}/draft`, withTitle("The second version"));
    await publish(alice, next.id);
    const answer = await alice.get(latest, { headers: { "if-none-match": etag } });
    expect(answer).toMatchObject({ status: 200, body: { id: next.id } });
    expect(answer.headers.get("etag"), "both versions have the same revision").toBe(etag);
  },
);

test.each(roles)("an ETag of the replaced review is not 304, on the %s (requests 4.1, search 11)", async (role) => {
  const api = await startApi(role);
  const alice = await api.as("alice");
  await api.as("bob");
  const review = `/api/records/${await givenDraft(alice)}/draft/review`;
  const receiver = { user: await api.idOf("bob") };
  await alice.put(review, { receiver, title: "One" });
  const etag = (await alice.get(review)).headers.get("etag") ?? "";
  await alice.put(review, { receiver, title: "Two" });
  const answer = await alice.get(review, { headers: { "if-none-match": etag } });
  expect(answer).toMatchObject({ status: 200, body: { title: "Two" } });
});

test.each(roles)("a record that did not change is 304 for its ETag, on the %s (search 11)", async (role) => {
  const alice = await (await startApi(role)).as("alice");
  const record = `/api/records/${await givenRecord(alice)}`;
  const etag = (await alice.get(record)).headers.get("etag") ?? "";
  expect((await alice.get(record, { headers: { "if-none-match": etag } })).status).toBe(304);
});

test.each(roles)(
  "the ETag of a deleted group fits no new one of its name; DELETE obeys If-Match, on the %s (requests 1, 11)",
  async (role) => {
    const admin = await (await startApi(role)).as("admin");
    const change = (ifMatch: string) => ({ headers: { "if-match": ifMatch } });
    const make = async () => (await admin.post("/api/groups", { name: "Curators" })).headers.get("etag") ?? "";
    const former = await make();
    expect((await admin.delete("/api/groups/Curators", undefined, change('"9"'))).status).toBe(412);
    expect((await admin.delete("/api/groups/Curators", undefined, change("soon"))).status).toBe(400);
    expect((await admin.delete("/api/groups/Curators", undefined, change(former))).status).toBe(204);
    const present = await make();
    expect((await admin.put("/api/groups/Curators", { description: "Late" }, change(former))).status).toBe(412);
    expect((await admin.delete("/api/groups/Curators", undefined, change(former))).status).toBe(412);
    const read = await admin.get("/api/groups/Curators", { headers: { "if-none-match": former } });
    expect([read.status, read.headers.get("etag")]).toEqual([200, present]);
    expect((await admin.put("/api/groups/Curators", { description: "Now" }, change(present))).status).toBe(200);
  },
);

test("the ETag of a deleted collection fits no new one of its address (web 15)", async () => {
  const admin = await (await startApi("server")).as("admin");
  await admin.post("/api/groups", { name: "curators" });
  const whales = { slug: "whales", title: "Whales", query: "whale*", text: "", group: "curators" };
  const make = async () => (await admin.post("/api/collections", whales)).headers.get("etag") ?? "";
  const headers = { "if-match": await make() };
  await admin.delete("/api/collections/whales");
  await make();
  expect((await admin.put("/api/collections/whales", { title: "Late", query: "*" }, { headers })).status).toBe(412);
  expect((await admin.delete("/api/collections/whales", undefined, { headers })).status).toBe(412);
});

test.each(roles)(
  "the counter of an edit draft never restarts: no ETag of a discarded one fits the next, on the %s (records 1.4)",
  async (role) => {
    const alice = await (await startApi(role)).as("alice");
    const draft = `/api/records/${await givenRecord(alice)}/draft`;
    const read = async () => (await alice.get(draft)).headers.get("etag") ?? "";
    const former = new Set<string>();
    for (const title of ["Once", "Twice", "Again"]) {
      await alice.post(draft);
      for (const words of ["begun", "half", "whole"]) {
        for (const tag of former) {
          const late = await alice.put(draft, withTitle("Too late"), { headers: { "if-match": tag } });
          expect([late.status, tag]).toEqual([412, tag]);
        }
        await alice.put(draft, withTitle(`${title} ${words}`), { headers: { "if-match": await read() } });
      }
      former.add(await read());
      expect((await alice.delete(draft)).status).toBe(204);
    }
    await alice.post(draft);
    await alice.put(draft, withTitle("Published at last"));
    const last = await read();
    expect((await alice.post(`${draft}/actions/publish`)).status).toBe(202);
    await alice.post(draft);
    expect([...former, last]).not.toContain(await read());
  },
);
