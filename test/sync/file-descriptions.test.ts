import { expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { addFile, fileOf, givenDraft } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { pause, replicaOf, resume, synced, trayOf } from "../support/two-replicas.ts";

async function givenFileOnTwoDesks() {
  const api = await startApi("server");
  const [alice, bob] = [await replicaOf(api, "alice"), await replicaOf(api, "bob")];
  const id = await givenDraft(alice);
  const grants = [{ subject: { type: "user", id: (await api.person("bob")).id }, permission: "edit" }];
  expect((await alice.post(`/api/records/${id}/access/grants`, { grants })).status).toBe(201);
  await addFile(alice, id, "core.jpg", "a picture");
  await synced(alice);
  const file = fileOf(id, "core.jpg");
  await expect.poll(async () => (await bob.get(file)).body.status).toBe("completed");
  await pause(alice, bob);
  const describe = async (client: HttpClient, metadata: object) =>
    expect((await client.put(file, { metadata })).status).toBe(200);
  const server = await api.as("alice");
  const described = (client: HttpClient) => client.get(file).then(({ body }) => body.metadata);
  return { alice, bob, server, describe, described };
}

test("two users describe one file offline, different values: both are kept (hosts-and-sync 4)", async () => {
  const { alice, bob, server, describe, described } = await givenFileOnTwoDesks();
  await describe(alice, { caption: "Core 12", year: 2024 });
  await describe(bob, { alt: "A dark stone", year: 2024 });
  await resume(alice, bob);
  for (const client of [server, alice, bob])
    expect(await described(client)).toEqual({ caption: "Core 12", alt: "A dark stone", year: 2024 });
  expect([...(await trayOf(alice)), ...(await trayOf(bob))]).toEqual([]);
});

test("two users give one value of a file's description offline: the first stays, the other is kept in the tray, and a retry takes its place (hosts-and-sync 4, 8)", async () => {
  const { alice, bob, server, describe, described } = await givenFileOnTwoDesks();
  await describe(alice, { caption: "Core 12" });
  await describe(bob, { caption: "Core twelve" });
  expect(await described(bob)).toEqual({ caption: "Core twelve" });
  await resume(alice, bob);
  for (const client of [server, alice, bob]) expect(await described(client)).toEqual({ caption: "Core 12" });
  const [refused, ...others] = await trayOf(bob);
  expect(others).toEqual([]);
  expect(refused).toMatchObject({ kind: "file.metadata", operation: { metadata: { caption: "Core twelve" } } });
  expect(refused.reason).toBe("The description of this file was changed elsewhere meanwhile: look at it again.");
  expect((await bob.post(`/api/sync/tray/${refused.id}/retry`)).status).toBe(200);
  await expect.poll(() => described(server)).toEqual({ caption: "Core twelve" });
  await synced(bob);
  expect(await trayOf(bob)).toEqual([]);
});
