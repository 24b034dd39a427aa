import { describe, expect, test } from "vitest";
import { type Api, startApi } from "../support/api.ts";
import { givenSubmitted, publishable } from "../support/reviews.ts";
import { until } from "../support/until.ts";

async function tryAgain(api: Api, name: string): Promise<void> {
  const client = await api.as(name);
  await client.post("/api/sync/resume");
  await api.waitForSync();
}

const trayOf = async (api: Api, name: string) => (await (await api.as(name)).get("/api/sync/tray")).body.hits;

describe("accepting publishes only what the reviewer saw (hosts-and-sync 4)", () => {
  test("a draft that its owner changed meanwhile is not published; sending it again accepts what is there now", async () => {
    const api = await startApi("replica");
    const bob = await api.as("bob");
    const { draft, request } = await givenSubmitted(api, "ada", "bob");
    await api.waitForSync();
    await bob.post("/api/sync/pause");
    expect((await bob.post(`/api/requests/${request}/actions/accept`)).status).toBe(202);
    const server = await api.onServer("ada");
    await server.put(`/api/records/${draft}/draft`, publishable("Never seen by Bob"));
    await bob.post("/api/sync/resume");
    await until(async () => (await trayOf(api, "bob")).total === 1, "it is in the tray");
    const [refused] = (await trayOf(api, "bob")).hits;
    expect(refused).toMatchObject({
      kind: "request.accept",
      reason: "The draft was changed meanwhile: look at it again before accepting it.",
    });
    expect((await server.get(`/api/records/${draft}`)).status).toBe(404);
    expect((await server.get(`/api/requests/${request}`)).body.status).toBe("submitted");
    expect((await bob.get(`/api/records/${draft}/draft`)).body.metadata.title).toBe("Never seen by Bob");
    expect((await bob.post(`/api/sync/tray/${refused.id}/retry`)).status).toBe(200);
    await tryAgain(api, "bob");
    expect((await server.get(`/api/records/${draft}`)).body.metadata.title).toBe("Never seen by Bob");
  });

  test("what the reviewer changed before accepting is published with it", async () => {
    const api = await startApi("replica");
    const bob = await api.as("bob");
    const { draft, request } = await givenSubmitted(api, "ada", "bob");
    await api.waitForSync();
    await bob.post("/api/sync/pause");
    expect((await bob.put(`/api/records/${draft}/draft`, publishable("Mended by Bob"))).status).toBe(200);
    expect((await bob.post(`/api/requests/${request}/actions/accept`)).status).toBe(202);
    await tryAgain(api, "bob");
    expect(await trayOf(api, "bob")).toMatchObject({ total: 0 });
    const server = await api.onServer("ada");
    expect((await server.get(`/api/records/${draft}`)).body.metadata.title).toBe("Mended by Bob");
  });
});
