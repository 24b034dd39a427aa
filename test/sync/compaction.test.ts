import { expect, test } from "vitest";
import { compaction } from "../../server/sync/live/compaction.service.ts";
import { canonical } from "../../shared/documents/draft-input.ts";
import { encodeChange, openDocument } from "../../shared/documents/merge.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { startApi } from "../support/api.ts";
import { until } from "../support/until.ts";

const metadata = { title: "Deep sea core 12", publisher: "Carrel", subjects: [{ subject: "mud" }, { subject: "sea" }] };

test("a document much larger than its content is compacted; unsent edits of a replica survive, also one of order alone (sync 1.4)", async () => {
  const api = await startApi("replica");
  const alice = await api.as("alice");
  const draft = await alice.post("/api/records", { files: { enabled: false }, metadata });
  const { id } = draft.body;
  const path = `/api/records/${id}/draft`;
  await alice.post("/api/sync/pause");
  const unsent = { ...metadata, title: "Deep sea core 12, unsent", version: "1" };
  await alice.put(path, { metadata: unsent });
  const subjects = metadata.subjects.toReversed();
  await alice.put(path, { metadata: { ...unsent, subjects } });

  const { host } = api.server;
  const row = () => host.db.selectFrom("document").selectAll().where("draft_id", "=", id).executeTakeFirstOrThrow();
  const before = await row();
  let { state } = before;
  const input = canonical({ ...draft.body, files: { enabled: false } });
  for (let i = 0; i <= 900; i++) {
    const next = { ...input, metadata: { ...input.metadata, publisher: `P${i}`, subjects: [{ subject: `s${i}` }] } };
    state = encodeChange(state, i === 900 ? input : next, 1000 + i * 7919).state;
  }
  const aged = { state, epoch: before.epoch };
  await host.db.updateTable("document").set(aged).where("draft_id", "=", id).execute();
  const age = host.now() - 60_000_000;
  await host.db.updateTable("draft").set({ updated: age }).where("id", "=", id).execute();

  const open = new Set([id]);
  const tidying = compaction({ host, isOpen: (one) => open.has(one), log: createLog("silent") });
  const onServer = await api.onServer("alice");
  await onServer.post(`/api/records/${id}/access/links`, { permission: "view" });
  expect(await tidying.run()).toEqual([]);
  open.clear();
  expect(await tidying.run()).toEqual([id]);
  await tidying.stop();
  const after = await row();
  expect(after.epoch).toBe(before.epoch + 1);
  expect(after.state.length).toBeLessThan(aged.state.length / 5);
  expect(openDocument(after.state).toJSON()).toEqual(openDocument(aged.state).toJSON());
  expect((await onServer.get(path)).body.metadata).toMatchObject(metadata);

  await alice.post("/api/sync/resume");
  await until(async () => (await onServer.get(path)).body.metadata.version === "1");
  await until(async () => (await alice.get("/api/sync/status")).body.state === "up_to_date");
  for (const client of [alice, onServer]) {
    expect((await client.get(path)).body.metadata).toMatchObject({ ...unsent, subjects });
  }
});
