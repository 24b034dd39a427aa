import { expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { addFile, fileOf, filesOf, must } from "../support/files.ts";
import { comment, givenSubmitted, publishable } from "../support/reviews.ts";
import { pause, replicaBehindProxy, replicaOf, resume, stateOf, synced, trayOf } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

test("a copy has the files as the user saw them: order, preview, captions, hidden (hosts-and-sync 8, Copy: the person's content and files)", async () => {
  const api = await startApi("server");
  const [client, server] = [await replicaOf(api, "alice"), await api.onServer("alice")];
  const { id } = must(await client.post("/api/records", { ...publishable(), files: { enabled: true } }), 201).body;
  const names = ["c.txt", "a.txt", "b.txt"];
  const hidden = { access: { hidden: true } };
  must(await client.post(filesOf(id), [{ key: "c.txt", ...hidden }]), 201);
  must(await client.putBytes(`${fileOf(id, "c.txt")}/content`, "bytes of c"), 200);
  must(await client.post(`${fileOf(id, "c.txt")}/commit`), 200);
  for (const name of ["a.txt", "b.txt"]) await addFile(client, id, name, `bytes of ${name}`);
  await until(async () => (await stateOf(client)) === "up_to_date", "on the server");
  await pause(client);
  const about = { metadata: { description: "Second core" } };
  must(await client.put(fileOf(id, "a.txt"), about), 200);
  const body = (await client.get(`/api/records/${id}/draft`)).body;
  const files = { enabled: true, default_preview: "b.txt", order: names };
  must(await client.put(`/api/records/${id}/draft`, { ...body, files }), 200);
  must(await server.delete(`/api/records/${id}/draft`), 204);
  await resume(client);
  const [entry] = await trayOf(client);
  const copy = must(await client.post(`/api/sync/tray/${entry.id}/copy`), 201).body;
  await synced(client);
  for (const one of [client, server]) {
    await until(async () => (await one.get(`/api/records/${copy.id}/draft`)).body.files?.count === 3, "sent");
    await until(async () => (await one.get(`/api/records/${copy.id}/draft`)).body.files.order.length === 3, "ordered");
    expect((await one.get(`/api/records/${copy.id}/draft`)).body.files).toMatchObject(files);
    expect((await one.get(fileOf(copy.id, "a.txt"))).body).toMatchObject(about);
    expect((await one.get(fileOf(copy.id, "c.txt"))).body).toMatchObject(hidden);
  }
});

test("a discard while a retry is being sent: 409, and what the server took stands (hosts-and-sync 5, discard)", async () => {
  const { api, client, line } = await replicaBehindProxy();
  const { request } = await givenSubmitted(api, "alice", "bob");
  const bob = await api.as("bob");
  await until(async () => (await client.get(`/api/requests/${request}`)).status === 200, "request");
  await pause(client);
  must(await client.post(`/api/requests/${request}/comments`, comment("Kept text")), 201);
  must(await bob.post(`/api/requests/${request}/lock`), 200, 204);
  await resume(client);
  const [entry] = await trayOf(client);
  must(await bob.post(`/api/requests/${request}/unlock`), 200, 204);
  line.fail("hole");
  must(await client.post(`/api/sync/tray/${entry.id}/retry`), 200);
  const sending = async () => (await client.get("/api/sync/operations")).body.hits.hits[0]?.state === "sending";
  await until(sending, "being sent");
  const refused = must(await client.delete(`/api/sync/tray/${entry.id}`), 409);
  expect(refused.body.message).toBe("This is being sent right now. Wait until it has been sent.");
  line.heal();
  await until(async () => (await trayOf(client)).length === 0, "sent");
  const { hits } = (await bob.get(`/api/requests/${request}/timeline`)).body.hits;
  expect(JSON.stringify(hits)).toContain("Kept text");
});
