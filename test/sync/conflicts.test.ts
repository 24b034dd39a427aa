import { describe, expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { until } from "../support/until.ts";

const person = (family_name: string, more: object = {}) => ({
  person_or_org: { type: "personal", family_name, given_name: "A." },
  ...more,
});
const metadata = {
  title: "Deep sea core 12",
  resource_type: { id: "dataset" },
  publication_date: "2026-11-21",
  publisher: "Carrel",
  creators: [person("Hopper"), person("Berg")],
};

/** Alice edits on a paused replica and on the server. Then the replica resumes. */
async function edited(here: object, there: object) {
  const api = await startApi("replica");
  const alice = await api.as("alice");
  const draft = await alice.post("/api/records", { files: { enabled: false }, metadata });
  const path = `/api/records/${draft.body.id}/draft`;
  await alice.post("/api/sync/pause");
  expect((await alice.put(path, { metadata: { ...metadata, ...here } })).status).toBe(200);
  const onServer = await api.onServer("alice");
  expect((await onServer.put(path, { metadata: { ...metadata, ...there } })).status).toBe(200);
  await alice.post("/api/sync/resume");
  const calm = async () => ["up_to_date", "needs_you"].includes((await alice.get("/api/sync/status")).body.state);
  await until(calm);
  const conflicts = async () => (await alice.get("/api/sync/conflicts")).body.hits;
  return { api, alice, onServer, id: draft.body.id, path, calm, conflicts };
}

describe("conflicting values (hosts-and-sync 4, 5, 8)", () => {
  test("the same scalar edited to two values: one wins everywhere, the other is shown until the user chooses", async () => {
    const { api, alice, onServer, id, path, calm, conflicts } = await edited(
      { publisher: "Here" },
      { publisher: "There" },
    );
    expect((await onServer.get(path)).body.metadata.publisher).toBe("There");
    const shown = await alice.get(path);
    expect(shown.body.metadata.publisher).toBe("There");
    expect(shown.body.sync).toMatchObject({ state: "conflict", operations: [] });
    await expect
      .poll(async () => (await alice.get("/api/sync/status")).body)
      .toMatchObject({ state: "needs_you", conflicts: 1 });
    const { hits, total } = await conflicts();
    expect(total).toBe(1);
    expect(hits[0]).toMatchObject({
      record: id,
      path: "metadata.publisher",
      mine: "Here",
      theirs: "There",
      theirs_by: await api.idOf("alice"),
      created: expect.stringMatching(/\+00:00$/),
    });
    const one = `/api/sync/conflicts/${hits[0].id}`;
    expect((await alice.post(one, { choose: "both" })).status).toBe(400);
    expect((await alice.post("/api/sync/conflicts/nothing", { choose: "mine" })).status).toBe(404);
    expect((await alice.post(one, { choose: "mine" })).status).toBe(200);
    await until(async () => (await onServer.get(path)).body.metadata.publisher === "Here");
    await until(calm);
    expect(await conflicts()).toMatchObject({ total: 0 });
    expect((await alice.get(path)).body.sync).toBeUndefined();
    await expect.poll(async () => (await alice.get("/api/sync/status")).body.state).toBe("up_to_date");
  });

  test("choosing `theirs` discards the lost value, on the server too", async () => {
    const { alice, onServer, path, calm, conflicts } = await edited({ version: "1" }, { version: "2" });
    const { hits } = await conflicts();
    expect((await alice.post(`/api/sync/conflicts/${hits[0].id}`, { choose: "theirs" })).status).toBe(200);
    await until(calm);
    await until(async () => (await alice.get("/api/sync/status")).body.state === "up_to_date");
    expect(await conflicts()).toMatchObject({ total: 0 });
    expect((await onServer.get(path)).body.metadata.version).toBe("2");
  });

  test("an item edited here and removed there is removed; the edit is kept and can be restored", async () => {
    const { alice, onServer, path, calm, conflicts } = await edited(
      { creators: [person("Hopper"), person("Berg", { affiliations: [{ name: "Uni" }] })] },
      { creators: [person("Hopper")] },
    );
    expect((await onServer.get(path)).body.metadata.creators).toHaveLength(1);
    const { hits } = await conflicts();
    expect(hits).toMatchObject([{ mine: { affiliations: [{ name: "Uni" }] }, theirs: null }]);
    await alice.post(`/api/sync/conflicts/${hits[0].id}`, { choose: "mine" });
    await until(calm);
    await until(async () => (await onServer.get(path)).body.metadata.creators.length === 2);
    expect((await onServer.get(path)).body.metadata.creators[1].affiliations).toEqual([{ name: "Uni" }]);
  });

  test("a value whose item was removed cannot be chosen; it is kept until the user chooses the other", async () => {
    const named = (given_name: string) => ({ person_or_org: { type: "personal", family_name: "Berg", given_name } });
    const { api, alice, onServer, id, path, conflicts } = await edited(
      { creators: [person("Hopper"), named("Here")] },
      { creators: [person("Hopper"), named("There")] },
    );
    const subject = { type: "user", id: await api.idOf("bob") };
    const grants = `/api/records/${id}/access/grants`;
    expect((await onServer.post(grants, { grants: [{ permission: "edit", subject }] })).status).toBe(201);
    const bob = await api.onServer("bob");
    expect((await bob.put(path, { metadata: { ...metadata, creators: [person("Hopper")] } })).status).toBe(200);
    await until(async () => (await alice.get(path)).body.metadata.creators.length === 1);
    const { hits } = await conflicts();
    expect(hits).toMatchObject([{ mine: "Here", theirs: null }]);
    const one = `/api/sync/conflicts/${hits[0].id}`;
    expect(await alice.post(one, { choose: "mine" })).toMatchObject({ status: 409, body: { message: /removed/ } });
    expect(await conflicts()).toMatchObject({ hits });
    expect((await alice.post(one, { choose: "theirs" })).status).toBe(200);
    await until(async () => (await alice.get("/api/sync/status")).body.state === "up_to_date");
    expect(await conflicts()).toMatchObject({ total: 0 });
  });

  test("a conflict of two titles must be resolved before publishing", async () => {
    const { alice, onServer, path, conflicts } = await edited({ title: "Glaciers" }, { title: "Mountains" });
    const refused = await onServer.post(`${path}/actions/publish`);
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ field: "metadata.title" }] } });
    const { hits } = await conflicts();
    await alice.post(`/api/sync/conflicts/${hits[0].id}`, { choose: "theirs" });
    await until(async () => (await onServer.post(`${path}/actions/publish`)).status === 202);
  });

  test("a lost value survives publishing: choosing it starts an edit of the record", async () => {
    const { alice, onServer, id, path, calm, conflicts } = await edited({ publisher: "Here" }, { publisher: "There" });
    expect((await onServer.post(`${path}/actions/publish`)).status).toBe(202);
    await until(async () => (await alice.get(`/api/records/${id}`)).body.is_published === true);
    const { hits } = await conflicts();
    expect(hits).toMatchObject([{ record: id, mine: "Here", theirs: "There" }]);
    expect((await alice.get(`/api/records/${id}`)).body.sync).toMatchObject({ state: "conflict" });
    expect((await alice.post(`/api/sync/conflicts/${hits[0].id}`, { choose: "mine" })).status).toBe(200);
    await until(async () => (await onServer.get(path)).body.metadata?.publisher === "Here");
    await until(calm);
    expect(await conflicts()).toMatchObject({ total: 0 });
    expect((await onServer.get(`/api/records/${id}`)).body.metadata.publisher).toBe("There");
  });

  test("writing a new value at the path resolves the conflict too", async () => {
    const { alice, onServer, path, calm, conflicts } = await edited({ publisher: "Here" }, { publisher: "There" });
    const body = (await alice.get(path)).body;
    await alice.put(path, { ...body, metadata: { ...body.metadata, publisher: "Third" } });
    await until(calm);
    await until(async () => (await onServer.get(path)).body.metadata.publisher === "Third");
    expect(await conflicts()).toMatchObject({ total: 0 });
  });
});

describe("a draft that was published meanwhile (hosts-and-sync 4)", () => {
  test("published elsewhere while edited here: the edit becomes an edit draft of the published record", async () => {
    const api = await startApi("replica");
    const alice = await api.as("alice");
    const draft = await alice.post("/api/records", { files: { enabled: false }, metadata });
    const path = `/api/records/${draft.body.id}`;
    const [hopper, bergen] = [person("Hopper"), person("Bergen")];
    await alice.put(`${path}/draft`, { metadata: { ...metadata, creators: [hopper, bergen] } });
    await until(async () => (await alice.get("/api/sync/status")).body.state === "up_to_date");
    await alice.post("/api/sync/pause");
    const again = { ...metadata, version: "2", title: "Deep sea core 12, again", creators: [bergen, hopper] };
    await alice.put(`${path}/draft`, { metadata: again });
    const onServer = await api.onServer("alice");
    expect((await onServer.post(`${path}/draft/actions/publish`)).status).toBe(202);
    expect((await onServer.get(`${path}/draft`)).status).toBe(404);
    await alice.post("/api/sync/resume");
    await until(async () => (await onServer.get(`${path}/draft`)).status === 200);
    const lives = (await onServer.get(`${path}/draft`)).body;
    expect(lives).toMatchObject({ is_published: false, metadata: again });
    expect((await onServer.get(path)).body.metadata.title).toBe("Deep sea core 12");
    await until(async () => (await alice.get("/api/sync/status")).body.state === "up_to_date");
    expect((await alice.get(`${path}/draft`)).body.metadata).toMatchObject({ version: "2" });
  });
});
