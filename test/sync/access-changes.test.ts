import { expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { givenDraft } from "../support/records.ts";
import { pause, replicaOf, resume, trayOf } from "../support/two-replicas.ts";

/** A draft of ada with an access link and a grant, on two of her replicas that are paused. */
async function givenShared() {
  const api = await startApi("server");
  const [desk, laptop] = [await replicaOf(api, "ada"), await replicaOf(api, "ada")];
  const access = `/api/records/${await givenDraft(desk)}/access`;
  const link = { permission: "edit", description: "For the team" };
  const { id } = must(await desk.post(`${access}/links`, link), 201).body;
  const subject = { type: "user", id: await api.idOf("bob") };
  must(await desk.post(`${access}/grants`, { grants: [{ permission: "edit", subject }] }), 201);
  await resume(desk, laptop);
  await pause(desk, laptop);
  return {
    desk,
    laptop,
    server: await api.onServer("ada"),
    addresses: [`${access}/links/${id}`, `${access}/grants/0`],
  };
}

const permissionsOf = (client: HttpClient, addresses: string[]) =>
  Promise.all(addresses.map(async (address) => must(await client.get(address), 200).body.permission));

test("the permission of a link and of a grant changed on two computers: nothing is overwritten silently, the later one waits for the user (hosts-and-sync 4)", async () => {
  const { desk, laptop, server, addresses } = await givenShared();
  for (const address of addresses) {
    must(await desk.patch(address, { permission: "view" }), 200);
    must(await laptop.patch(address, { permission: "preview" }), 200);
  }
  await resume(desk, laptop);
  for (const client of [desk, laptop, server]) expect(await permissionsOf(client, addresses)).toEqual(["view", "view"]);
  expect(await trayOf(desk)).toEqual([]);
  const refused = await trayOf(laptop);
  expect(refused).toMatchObject([
    { kind: "access-link.update", reason: "The access link was changed elsewhere meanwhile: look at it again." },
    { kind: "access-grant.update", reason: "The access was changed elsewhere meanwhile: look at it again." },
  ]);
  for (const { id } of refused) must(await laptop.post(`/api/sync/tray/${id}/retry`), 200);
  await resume(laptop, desk);
  for (const client of [desk, laptop, server])
    expect(await permissionsOf(client, addresses)).toEqual(["preview", "preview"]);
  expect(await trayOf(laptop)).toEqual([]);
});

test("a description given to a link offline gives nobody back the permission that was taken meanwhile (hosts-and-sync 4)", async () => {
  const { desk, laptop, server, addresses } = await givenShared();
  const [link = ""] = addresses;
  must(await desk.patch(link, { permission: "view" }), 200);
  // The API asks for the permission in each change of a link (records 7.2).
  must(await laptop.patch(link, { permission: "edit", description: "For the ship" }), 200);
  await resume(desk, laptop);
  for (const client of [desk, laptop, server])
    expect((await client.get(link)).body).toMatchObject({ permission: "view", description: "For the ship" });
  expect(await trayOf(laptop)).toEqual([]);
});

test("the same permission given on two computers, and two changes of one computer in a row, are no conflict (hosts-and-sync 4)", async () => {
  const { desk, laptop, server, addresses } = await givenShared();
  for (const address of addresses) {
    must(await desk.patch(address, { permission: "preview" }), 200);
    must(await desk.patch(address, { permission: "view" }), 200);
    must(await laptop.patch(address, { permission: "view" }), 200);
  }
  await resume(desk, laptop);
  expect(await permissionsOf(server, addresses)).toEqual(["view", "view"]);
  expect([...(await trayOf(desk)), ...(await trayOf(laptop))]).toEqual([]);
});
