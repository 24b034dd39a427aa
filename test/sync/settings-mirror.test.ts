import { expect, test } from "vitest";
import { customFieldDeclaration } from "../../shared/metadata/custom-fields.schema.ts";
import { startApi } from "../support/api.ts";
import { givenDraft, withoutFiles } from "../support/records.ts";

test("a replica validates with the settings of its server (records 8.4, hosts-and-sync 3)", async () => {
  const declared = customFieldDeclaration.parse({ name: "lab:cruise", type: "integer" });
  const api = await startApi("replica", { settings: { custom_fields: [declared], max_files: 2 } });
  const alice = await api.as("alice");
  const { host } = await api.replicaOf("alice");
  await expect.poll(() => host.settings.max_files).toBe(2);
  await alice.post("/api/sync/pause");
  const id = await givenDraft(alice, { ...withoutFiles, custom_fields: { "lab:cruise": 7 } });
  const wrong = await alice.put(`/api/records/${id}/draft`, { ...withoutFiles, custom_fields: { "lab:cruise": "x" } });
  expect(wrong.body.errors).toEqual([{ field: "custom_fields.lab:cruise", messages: ["Not a valid integer."] }]);
  await alice.put(`/api/records/${id}/draft`, { ...withoutFiles, custom_fields: { "lab:cruise": 8 } });
  await alice.post("/api/sync/resume");
  await api.waitForSync();
  const draft = await (await api.onServer("alice")).get(`/api/records/${id}/draft`);
  expect(draft.body.custom_fields).toEqual({ "lab:cruise": 8 });
});
