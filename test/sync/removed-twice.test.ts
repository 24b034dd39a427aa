import { expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { givenDraft, givenRecord } from "../support/records.ts";
import { pause, replicaOf, resume, stateOf, trayOf } from "../support/two-replicas.ts";

/** What both of a user's replicas remove offline: its address, once it is there. */
const rows: [string, (client: HttpClient, record: string, bob: string) => Promise<string>][] = [
  ["a draft", async (_client, record) => `${record}/draft`],
  [
    "an edit of a record",
    async (client) => {
      const record = `/api/records/${await givenRecord(client)}`;
      must(await client.post(`${record}/draft`), 201);
      return `${record}/draft`;
    },
  ],
  [
    "a draft of the next version",
    async (client) => {
      const { id } = must(await client.post(`/api/records/${await givenRecord(client)}/versions`), 201).body;
      return `/api/records/${id}/draft`;
    },
  ],
  [
    "a review",
    async (client, record, bob) => {
      const review = { type: "default-request", receiver: { user: bob } };
      must(await client.put(`${record}/draft/review`, review), 200);
      return `${record}/draft/review`;
    },
  ],
  [
    "an access link",
    async (client, record) => {
      const { id } = must(await client.post(`${record}/access/links`, { permission: "view" }), 201).body;
      return `${record}/access/links/${id}`;
    },
  ],
  [
    "a grant",
    async (client, record, bob) => {
      const grant = { permission: "view", subject: { type: "user", id: bob } };
      must(await client.post(`${record}/access/grants`, { grants: [grant] }), 201);
      return `${record}/access/users/${bob}`;
    },
  ],
];

test.each(rows)(
  "%s that a user removes on two computers is gone, and nothing waits for the user (hosts-and-sync 4)",
  async (_what, make) => {
    const api = await startApi("server");
    const [desk, laptop] = [await replicaOf(api, "ada"), await replicaOf(api, "ada")];
    const record = `/api/records/${await givenDraft(desk)}`;
    const address = await make(desk, record, await api.idOf("bob"));
    await resume(desk, laptop);
    await pause(desk, laptop);
    for (const client of [desk, laptop]) must(await client.delete(address), 202, 204);
    await resume(desk, laptop);
    for (const client of [desk, laptop]) {
      expect(await trayOf(client)).toEqual([]);
      expect(await stateOf(client)).toBe("up_to_date");
      expect((await client.get(address)).status).toBe(404);
    }
  },
);

const viewFor = (bob: string) => ({ permission: "view", subject: { type: "user", id: bob } });

test("a grant that a user gives on two computers is there once; another permission waits for the user (hosts-and-sync 4)", async () => {
  const api = await startApi("server");
  const [desk, laptop] = [await replicaOf(api, "ada"), await replicaOf(api, "ada")];
  const bob = await api.idOf("bob");
  const [same, other, changed] = [await givenDraft(desk), await givenDraft(desk), await givenDraft(desk)];
  await resume(desk, laptop);
  await pause(desk, laptop);
  const give = async (client: HttpClient, record: string, permission = "view") =>
    must(await client.post(`/api/records/${record}/access/grants`, { grants: [{ ...viewFor(bob), permission }] }), 201);
  for (const record of [same, other, changed]) await give(desk, record);
  for (const record of [same, changed]) await give(laptop, record);
  await give(laptop, other, "edit");
  // Names a grant that the server never had.
  must(await laptop.patch(`/api/records/${changed}/access/users/${bob}`, { permission: "edit" }), 200);
  await resume(desk, laptop);
  const kind = "access-grant.create";
  expect(await trayOf(laptop)).toMatchObject([
    { kind, operation: { recordId: changed } },
    { kind, operation: { recordId: other } },
  ]);
  for (const client of [desk, laptop]) {
    const { hits } = must(await client.get(`/api/records/${same}/access/grants`), 200).body;
    expect(hits.hits).toMatchObject([viewFor(bob)]);
  }
});

/** What one computer publishes and the other removes: makes it, and returns the id of the record. */
const published: [string, (client: HttpClient) => Promise<string>][] = [
  ["a draft", givenDraft],
  [
    "an edit of a record",
    async (client) => {
      const id = await givenRecord(client);
      must(await client.post(`/api/records/${id}/draft`), 201);
      return id;
    },
  ],
];

test.each(published)(
  "%s that was published elsewhere was not removed twice: its refused removal stays in the tray (hosts-and-sync 4)",
  async (_what, make) => {
    const api = await startApi("server");
    const [desk, laptop] = [await replicaOf(api, "ada"), await replicaOf(api, "ada")];
    const draft = `/api/records/${await make(desk)}/draft`;
    await resume(desk, laptop);
    await pause(desk, laptop);
    must(await desk.post(`${draft}/actions/publish`), 202);
    must(await laptop.delete(draft), 204);
    await resume(desk, laptop);
    expect(await trayOf(laptop)).toMatchObject([{ kind: "draft.discard", server: { is_published: true } }]);
  },
);
