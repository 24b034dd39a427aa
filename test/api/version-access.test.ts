import { expect, test } from "vitest";
import { roles, startApi } from "../support/api.ts";
import { givenRecord, publish, withoutFiles } from "../support/records.ts";

const restricted = { ...withoutFiles, access: { record: "restricted", files: "restricted" } };

test.each(roles)("versions that the caller cannot read are left out, on the %s (records 2, 4.1)", async (role) => {
  const api = await startApi(role);
  const [alice, bob] = [await api.as("alice"), await api.as("bob")];
  const id = await givenRecord(alice);
  const next = (await alice.post(`/api/records/${id}/versions`)).body.id;
  await alice.put(`/api/records/${next}/draft`, restricted);
  await publish(alice, next);
  const list = await bob.get(`/api/records/${id}/versions`);
  expect(list.body.hits).toMatchObject({ total: 1, hits: [{ id, versions: { is_latest: false } }] });
  for (const path of [`${id}/versions/latest`, `${next}/versions`, next]) {
    expect([path, (await bob.get(`/api/records/${path}`)).status]).toEqual([path, 403]);
  }
  expect((await alice.get(`/api/records/${id}/versions/latest`)).body.id).toBe(next);
});

test.each(roles)(
  "the latest version needs read permission on the record asked for, on the %s (records 2)",
  async (role) => {
    const api = await startApi(role);
    const [alice, bob] = [await api.as("alice"), await api.as("bob")];
    const id = await givenRecord(alice, restricted);
    const { body: next } = await alice.post(`/api/records/${id}/versions`);
    await alice.put(`/api/records/${next.id}/draft`, {
      ...withoutFiles,
      access: { record: "public", files: "public" },
    });
    await publish(alice, next.id);
    const latestOf = async (any: string) => (await bob.get(`/api/records/${any}/versions/latest`)).status;
    expect([await latestOf(id), await latestOf(next.id), await latestOf(next.parent.id)]).toEqual([403, 200, 200]);
  },
);

test.each(roles)(
  "an access link opens a record by its parent's id, too, on the %s (records 1.2, 1.5)",
  async (role) => {
    const api = await startApi(role);
    const [alice, bob] = [await api.as("alice"), await api.as("bob")];
    const id = await givenRecord(alice, restricted);
    const { parent } = (await alice.get(`/api/records/${id}`)).body;
    const { token } = (await alice.post(`/api/records/${id}/access/links`, { permission: "view" })).body;
    await api.waitForSync();
    const { status, headers } = await bob.get(`/api/records/${parent.id}?token=${token}`);
    expect([status, headers.get("location")]).toEqual([302, `${bob.url}/api/records/${id}?token=${token}`]);
  },
);
