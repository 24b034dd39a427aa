import { describe, expect, test } from "vitest";
import { addFile, fileOf, must } from "../support/files.ts";
import { draftAt, givenDesk, givenDraftThere, settle } from "../support/invenio-desk.ts";
import { trayOf } from "../support/two-replicas.ts";

describe("names of files of an InvenioRDM", () => {
  test.each(["../../draft", "..", "raw/../../x", "a//b", "./a"])(
    "the file “%s” of another person: removing it calls no other address (upstreams U5)",
    async (key) => {
      let id = "";
      const world = await givenDesk({}, async (ada, there) => {
        id = await givenDraftThere(ada, "Shared work");
        await addFile(ada, id, "tides.csv", "hour,height\n");
        const grace = there.person("grace");
        const grants = [{ permission: "edit", subject: { type: "user", id: grace.id } }];
        must(await ada.post(`/api/records/${id}/access/grants`, { grants }), 201);
        must(await grace.client.post(`${draftAt(id)}/files`, [{ key }]), 201);
      });
      const { desk, ada, there } = world;
      const before = there.site.calls.length;
      must(await desk.post(`${draftAt(id)}/actions/files-remove`, [{ key: "tides.csv" }, { key }]), 204);
      await settle(world);
      expect(await trayOf(desk)).toMatchObject([{ reason: expect.stringContaining("does not fit into an address") }]);
      expect(there.site.calls.slice(before).filter(({ method }) => method !== "GET")).toEqual([]);
      expect((await ada.client.get(draftAt(id))).status).toBe(200);

      must(await desk.delete(fileOf(id, "tides.csv")), 204);
      await settle(world);
      const { entries } = (await ada.client.get(`${draftAt(id)}/files`)).body;
      expect(entries).toMatchObject([{ key, status: "pending" }]);
    },
  );
});
