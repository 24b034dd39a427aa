import { expect, test } from "vitest";
import type { Api } from "../support/api.ts";
import { addFile, givenDraft, must } from "../support/files.ts";
import { HttpClient } from "../support/http-client.ts";
import { replicaBehindProxy, stateOf, trayOf } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

/** Somebody else was given the same ids meanwhile. @returns what shows under the id there. */
async function takenByAnother(api: Api, { id, parent }: { id: string; parent: { id: string } }) {
  const bob = new HttpClient(api.server.url, (await api.person("bob")).token);
  const access = { record: "public", files: "public", embargo: { active: false, reason: null } };
  const files = { enabled: false, default_preview: null, order: [] };
  const input = { metadata: { title: "Somebody else's" }, custom_fields: {}, access, pids: {}, files };
  const payload = { id, parentId: parent.id, input };
  const operation = { id: crypto.randomUUID(), kind: "draft.create", version: 1, payload };
  const pushed = must(await bob.post("/api/sync/push", { operations: [operation] }), 200);
  expect(pushed.body.outcomes[0].outcome).toBe("applied");
  return async () => (await bob.get(`/api/records/${id}/draft`)).body.metadata.title;
}

/** The id is an alias of another draft of the user by now. */
async function takenByAnOldName(api: Api, { id }: { id: string }, client: HttpClient) {
  const alice = new HttpClient(api.server.url, (await api.person("alice")).token);
  const body = (await alice.post("/api/records", { metadata: { title: "Somebody else's" } })).body;
  const alias = { old_id: id, new_id: body.id, parent_id: body.parent.id };
  await api.server.host.db.insertInto("alias").values(alias).execute();
  return async () => {
    // Told of again, it leads there no more than before.
    const [path, version] = [`/api/records/${body.id}/draft`, "told again"];
    await alice.put(path, { metadata: { title: "Somebody else's", version }, custom_fields: {} });
    await until(async () => (await client.get(path)).body.metadata?.version === version, "told of again");
    return (await alice.get((await alice.get(`/api/records/${id}/draft`)).headers.get("location") ?? "")).body.metadata
      .title;
  };
}

test.each([
  ["by another one", takenByAnother, 1],
  ["by what it is an old name of", takenByAnOldName, 2],
])(
  "an id that was minted here and is taken on the server %s: another one there, the old one an alias here (hosts-and-sync 3)",
  async (_by, take, drafts) => {
    const { api, client, server, line, token, replica } = await replicaBehindProxy({ isConnected: false });
    const id = await givenDraft(client);
    await addFile(client, id, "core.bin", "the bytes");
    await client.put(`/api/records/${id}/draft`, { metadata: { title: "My own core" }, files: { enabled: true } });
    const there = await take(api, (await client.get(`/api/records/${id}/draft`)).body, client);
    const next = await givenDraft(client);
    must(await client.post("/api/sync/connect", { server: line.url, token }), 200);
    await until(async () => (await stateOf(client)) === "up_to_date", "sent under another id");
    expect(await there()).toBe("Somebody else's");
    await until(async () => (await stateOf(client)) === "up_to_date", "nothing left to do");
    const moved = await client.get(`/api/records/${id}/draft`);
    expect(moved.status).toBe(301);
    const place = new URL(moved.headers.get("location") ?? "").pathname;
    expect((await client.put(`/api/records/${id}/draft`, {})).status).toBe(308);
    expect((await client.head(`/api/records/${id}/draft`)).status).toBe(301);
    for (const one of [client, server]) {
      expect((await one.get(place)).body.metadata.title).toBe("My own core");
      expect((await one.get(`${place}/files/core.bin/content`)).text).toBe("the bytes");
    }
    expect(await trayOf(client)).toEqual([]);
    expect((await client.get("/api/user/records")).body.hits.total).toBe(drafts + 1);
    const made = replica.host.db.selectFrom("operation").select(["object_id", "attempts"]);
    const attempts = await made.where("kind", "=", "draft.create").orderBy("position").execute();
    // The batch ended at the first one.
    expect(attempts).toEqual([place.split("/")[3], next].map((object_id) => ({ object_id, attempts: 1 })));
  },
);
