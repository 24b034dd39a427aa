import { describe, expect, test } from "vitest";
import { type Api, startApi } from "../support/api.ts";
import type { HttpClient } from "../support/http-client.ts";
import { givenDraft, metadata, withoutFiles } from "../support/records.ts";

const titled = (title: string) => ({ ...withoutFiles, metadata: { ...metadata, title } });

async function paused(api: Api, name: string): Promise<HttpClient> {
  const client = await api.as(name);
  await client.post("/api/sync/pause");
  return client;
}

/** Goes back online and waits until nothing is under way. */
async function resume(api: Api, client: HttpClient): Promise<void> {
  await client.post("/api/sync/resume");
  await api.waitForSync();
}

describe("publishing offline (hosts-and-sync 3, 4)", () => {
  test("answers 202 with the draft after local checks; a repeated call is queued once and executed once", async () => {
    const api = await startApi("replica");
    const alice = await paused(api, "alice");
    const id = await givenDraft(alice, titled(""));
    const refused = await alice.post(`/api/records/${id}/draft/actions/publish`);
    expect(refused.status).toBe(400);
    expect(refused.body.errors).toContainEqual({
      field: "metadata.title",
      messages: ["Missing data for required field."],
    });
    await alice.put(`/api/records/${id}/draft`, titled("Made at sea"));
    const queued = await alice.post(`/api/records/${id}/draft/actions/publish`);
    expect(queued.status).toBe(202);
    expect(queued.body).toMatchObject({ id, is_published: false, sync: { state: "pending" } });
    const again = await alice.post(`/api/records/${id}/draft/actions/publish`);
    expect([again.status, again.body.sync]).toEqual([202, queued.body.sync]);
    expect((await alice.post(`/api/records/${id}/draft/pids/doi`)).status).toBe(503);
    await resume(api, alice);
    expect((await alice.get("/api/sync/tray")).body.hits.total).toBe(0);
    expect((await (await api.onServer("alice")).get(`/api/records/${id}`)).body.metadata.title).toBe("Made at sea");
    expect((await alice.get(`/api/records/${id}`)).body).toMatchObject({ id, is_published: true });
    expect((await alice.get(`/api/records/${id}/draft`)).status).toBe(404);
  });

  test("a queued publication can be withdrawn: nothing is sent, the draft is unchanged", async () => {
    const api = await startApi("replica");
    const id = await givenDraft(await api.as("alice"), titled("Not yet"));
    const alice = await paused(api, "alice");
    expect((await alice.post(`/api/records/${id}/draft/actions/publish`)).status).toBe(202);
    await alice.put(`/api/records/${id}/draft`, titled("Not yet, and better"));
    const [publish, edit] = (await alice.get("/api/sync/operations")).body.hits.hits;
    expect([publish.kind, edit.kind]).toEqual(["draft.publish", "draft.edit"]);
    expect((await alice.delete(`/api/sync/operations/${edit.id}`)).status).toBe(409);
    expect((await alice.delete(`/api/sync/operations/${publish.id}`)).status).toBe(204);
    expect((await alice.delete(`/api/sync/operations/${publish.id}`)).status).toBe(404);
    expect((await alice.get(`/api/records/${id}/draft`)).body.sync.operations).toMatchObject([{ kind: "draft.edit" }]);
    await resume(api, alice);
    const server = await api.onServer("alice");
    expect((await server.get(`/api/records/${id}`)).status).toBe(404);
    expect((await server.get(`/api/records/${id}/draft`)).body.metadata.title).toBe("Not yet, and better");
  });

  test("a queued review and its submission are withdrawn together", async () => {
    const api = await startApi("replica");
    const id = await givenDraft(await api.as("alice"), titled("For nobody"));
    const alice = await paused(api, "alice");
    const receiver = { user: await api.idOf("alice") };
    expect((await alice.put(`/api/records/${id}/draft/review`, { receiver })).status).toBe(202);
    expect((await alice.post(`/api/records/${id}/draft/actions/submit-review`)).status).toBe(202);
    const [first] = (await alice.get("/api/sync/operations")).body.hits.hits;
    expect((await alice.delete(`/api/sync/operations/${first.id}`)).status).toBe(204);
    expect((await alice.get("/api/sync/operations")).body.hits.total).toBe(0);
    expect((await alice.get(`/api/records/${id}/draft`)).body).not.toHaveProperty("sync");
    await resume(api, alice);
    expect((await alice.get(`/api/records/${id}/draft`)).body.status).toBe("draft");
  });

  test("a draft that another user changed meanwhile is not published; the operation stays in the tray", async () => {
    const api = await startApi("replica");
    const id = await givenDraft(await api.as("alice"), titled("Before"));
    const alice = await paused(api, "alice");
    expect((await alice.post(`/api/records/${id}/draft/actions/publish`)).status).toBe(202);
    await (await api.onServer("alice")).put(`/api/records/${id}/draft`, titled("Changed meanwhile"));
    await resume(api, alice);
    expect((await (await api.onServer("alice")).get(`/api/records/${id}`)).status).toBe(404);
    const tray = await alice.get("/api/sync/tray");
    expect(tray.body.hits.hits).toMatchObject([{ kind: "draft.publish", object: { id } }]);
    expect((await alice.get(`/api/records/${id}/draft`)).body).toMatchObject({
      metadata: { title: "Changed meanwhile" },
      sync: { state: "rejected" },
    });
  });
});
