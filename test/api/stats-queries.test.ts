import { describe, expect, test } from "vitest";
import { roles, startApi } from "../support/api.ts";
import { givenRecord as givenRecordWithFiles } from "../support/files.ts";
import { givenRecord, publish, withoutFiles } from "../support/records.ts";

const ask = (stat: string, params: object) => ({ asked: { stat, params } });

describe.each(roles)("POST /api/stats on the %s (interoperability 27)", (role) => {
  test("views and downloads of a version and of all versions (issue 18, interoperability 27)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const first = await givenRecordWithFiles(alice, { "a.txt": "0123456789" });
    const { id: second, parent } = (await alice.post(`/api/records/${first}/versions`)).body;
    await alice.put(`/api/records/${second}/draft`, withoutFiles);
    await publish(alice, second);
    for (const path of [first, first, second, `${first}/files/a.txt/content`]) {
      await api.anonymous.get(`/api/records/${path}`);
    }
    await api.server.services.usage.flush();
    const answer = await alice.post("/api/stats", {
      views: { stat: "record-view", params: { recid: first } },
      all: { stat: "record-view-all-versions", params: { parent_recid: parent.id } },
      downloads: { stat: "record-download", params: { recid: first } },
      everything: { stat: "record-download-all-versions", params: { parent_recid: parent.id } },
      nothing: { stat: "record-view", params: { recid: "zzzzz-zzz99" } },
    });
    expect(answer.status).toBe(200);
    const downloads = { downloads: 1, unique_downloads: 1, data_volume: 10 };
    expect(answer.body).toEqual({
      views: { recid: first, parent_recid: parent.id, views: 2, unique_views: 1 },
      all: { parent_recid: parent.id, views: 3, unique_views: 1 },
      downloads: { recid: first, parent_recid: parent.id, ...downloads },
      everything: { parent_recid: parent.id, ...downloads },
      nothing: { views: 0, unique_views: 0 },
    });
    expect((await alice.post("/api/stats")).body).toEqual({});
  });

  test("questions that cannot be answered are refused; restricted records keep their counts (issue 18, interoperability 27)", async () => {
    const api = await startApi(role);
    const [alice, bob] = [await api.as("alice"), await api.as("bob")];
    const open = await givenRecord(alice);
    const closed = await givenRecord(alice, {
      ...withoutFiles,
      access: { record: "restricted", files: "restricted" },
    });
    expect((await bob.post("/api/stats", ask("record-view", { recid: closed }))).status).toBe(403);
    expect((await alice.post("/api/stats", ask("record-view", { recid: closed }))).status).toBe(200);
    const refused: [body: unknown, field: string][] = [
      [ask("record-likes", { recid: open }), "asked.stat"],
      [ask("record-view", {}), "asked.params.recid"],
      [ask("record-view-all-versions", { recid: open }), "asked.params.parent_recid"],
      [ask("record-view", { recid: open, start_date: "2026-01-01" }), "asked.params.start_date"],
      [{ asked: { params: { recid: open } } }, "asked.stat"],
      [[], "_schema"],
    ];
    for (const [body, field] of refused) {
      const answer = await alice.post("/api/stats", body);
      expect([answer.status, answer.body.errors?.[0]?.field]).toEqual([400, field]);
    }
  });
});
