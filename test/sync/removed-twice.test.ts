import { expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { givenDraft } from "../support/records.ts";
import { pause, replicaOf, resume, stateOf, trayOf } from "../support/two-replicas.ts";

/** What both of a user's replicas remove offline: its address, once it is there. */
const rows: [string, (client: HttpClient, record: string, bob: string) => Promise<string>][] = [
  ["a draft", async (_client, record) => `${record}/draft`],
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
    for (const client of [desk, laptop]) must(await client.delete(address), 204);
    await resume(desk, laptop);
    for (const client of [desk, laptop]) {
      expect(await trayOf(client)).toEqual([]);
      expect(await stateOf(client)).toBe("up_to_date");
      expect((await client.get(address)).status).toBe(404);
    }
  },
);

test("a draft that was published elsewhere is no draft that was removed twice: the refused removal stays in the tray (hosts-and-sync 4)", async () => {
  const api = await startApi("server");
  const [desk, laptop] = [await replicaOf(api, "ada"), await replicaOf(api, "ada")];
  const record = `/api/records/${await givenDraft(desk)}`;
  await resume(desk, laptop);
  await pause(desk, laptop);
  must(await desk.post(`${record}/draft/actions/publish`), 202);
  must(await laptop.delete(`${record}/draft`), 204);
  await resume(desk, laptop);
  expect(await trayOf(laptop)).toMatchObject([{ kind: "draft.discard", server: { is_published: true } }]);
});
