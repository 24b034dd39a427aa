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
