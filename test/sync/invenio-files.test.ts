import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { deskProfiles, fakeOf, isReal, needsFake } from "../support/desk-site.ts";
import { complete } from "../support/fake-invenio/complete.ts";
import { addFile, fileOf, fixtureBytes, must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import {
  type Desk,
  draftAt,
  givenDesk,
  givenDraftThere,
  givenRecordThere,
  ownThere,
  settle,
} from "../support/invenio-desk.ts";
import { pause, trayOf } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

const titled = (title: string) => ({ metadata: { ...complete.metadata, title }, files: { enabled: true } });
const md5 = (bytes: string | Buffer) => `md5:${createHash("md5").update(bytes).digest("hex")}`;

const filesThere = async (client: HttpClient, id: string) =>
  (await client.get(`${draftAt(id)}/files`)).body.entries
    .map(({ key, status, checksum }: Record<string, string>) => ({ key, status, checksum }))
    // The real server lists them in any order.
    .sort((a: { key: string }, b: { key: string }) => a.key.localeCompare(b.key));

/** Bytes that were sent, by name. */
const sent = ({ there }: Desk) =>
  there.site.calls.filter(({ method, path }) => method === "PUT" && path.endsWith("/content")).map(({ path }) => path);

async function givenDraft(): Promise<Desk & { id: string }> {
  let id = "";
  const world = await givenDesk({}, async (ada) => {
    id = await givenDraftThere(ada, "With files");
  });
  return { ...world, id };
}

describe.each(deskProfiles)("files of a replica on %s", (profile) => {
  test("files attached offline, folders too, arrive with their MD5, each announced and sent once (issue 20.4)", async () => {
    const world = await givenDesk({ profile });
    const { desk, ada } = world;
    await pause(desk);
    const local = must(await desk.post("/api/records", titled("With files")), 201).body.id;
    await addFile(desk, local, "tides.csv", "hour,height\n");
    await addFile(desk, local, "raw/2026/one.bin", "one");
    await desk.post("/api/sync/resume");
    await settle(world);
    const id = String((await ownThere(world))[0].id);
    expect(await filesThere(ada.client, id)).toEqual([
      { key: "raw/2026/one.bin", status: "completed", checksum: md5("one") },
      { key: "tides.csv", status: "completed", checksum: md5("hour,height\n") },
    ]);
    expect(sent(world)).toHaveLength(2);
    const here = (await desk.get(`${draftAt(id)}/files`)).body.entries;
    expect(here.map(({ key, status }: Record<string, string>) => [key, status]).sort()).toEqual([
      ["raw/2026/one.bin", "completed"],
      ["tides.csv", "completed"],
    ]);
    expect((await desk.get("/api/sync/status")).body).toMatchObject({ state: "up_to_date", pending: 0, rejected: 0 });

    expect((await desk.delete(fileOf(id, "tides.csv"))).status).toBe(204);
    await settle(world);
    expect((await filesThere(ada.client, id)).map(({ key }: { key: string }) => key)).toEqual(["raw/2026/one.bin"]);
  });
});

describe("files of a replica on an InvenioRDM", () => {
  test.each([
    { fault: "lost-before", method: "PUT", path: /\/content$/ },
    { fault: "lost-after", method: "PUT", path: /\/content$/ },
    { fault: "lost-after", method: "POST", path: /\/commit$/ },
    { fault: "refused-500", method: "POST", path: /\/commit$/ },
    { fault: "lost-after", method: "POST", path: /\/draft\/files$/ },
  ] as const)("$method with $fault: looked at, never sent to a completed file (upstreams F10, U5)", async (row) => {
    const world = await givenDraft();
    const { desk, ada, there, id } = world;
    there.site.switches.fault(row.fault, row.method, row.path);
    await addFile(desk, id, "tides.csv", "hour,height\n");
    await settle(world);
    expect(await filesThere(ada.client, id)).toEqual([
      { key: "tides.csv", status: "completed", checksum: md5("hour,height\n") },
    ]);
    expect(await trayOf(desk)).toEqual([]);
  });

  test.each(deskProfiles)("a file may be larger than %s allows as shipped (upstreams 7.2.7)", async (profile) => {
    const world = await givenDesk({ profile });
    const { desk } = world;
    await pause(desk);
    const { id } = must(await desk.post("/api/records", titled("With a large file")), 201).body;
    must(await desk.post(`${draftAt(id)}/files`, [{ key: "sky.fits" }]), 201);
    const { headers } = await desk.head(`${draftAt(id)}/files/sky.fits/content`);
    const most = Number(/max-size=(\d+)/.exec(headers.get("upload-limit") ?? "")?.[1]);
    expect(most).toBeGreaterThanOrEqual(200_000_000_000);
  });

  test("a file that is being announced is not announced a second time for its bytes (upstreams F24)", async (row) => {
    needsFake(row, "a call that waits");
    const world = await givenDraft();
    const { desk, ada, there, id } = world;
    const announced = () =>
      there.site.calls.filter(({ method, path }) => method === "POST" && path === `${draftAt(id)}/files`).length;
    const release = fakeOf(world).hold("POST", /draft\/files$/);
    await addFile(desk, id, "tides.csv", "hour,height\n");
    await until(() => announced() > 0, "it is being announced");
    await until(
      async () => (await desk.get("/api/sync/status")).body.transfers.length > 0,
      "its bytes are on their way",
    );
    expect(announced()).toBe(1);
    release();
    await settle(world);
    expect(announced()).toBe(1);
    expect(await filesThere(ada.client, id)).toMatchObject([{ key: "tides.csv", status: "completed" }]);
    expect(await trayOf(desk)).toEqual([]);
  });

  test("files added and removed in a draft that was published meanwhile are in the tray (upstreams F8, U5)", async () => {
    const world = await givenDraft();
    const { desk, ada, id } = world;
    await addFile(desk, id, "tides.csv", "hour,height");
    await settle(world);
    await pause(desk);
    must(await desk.put(draftAt(id), titled("Edited")), 200);
    must(await desk.delete(fileOf(id, "tides.csv")), 204);
    await addFile(desk, id, "more.csv", "of the desk");
    must(await ada.client.post(`${draftAt(id)}/actions/publish`), 202);
    await desk.post("/api/sync/resume");
    await settle(world);
    const tray = await trayOf(desk);
    expect(tray.map(({ kind }: { kind: string }) => kind).sort()).toEqual(["file.delete", "file.init"]);
    for (const { reason } of tray) expect(reason).toContain("is published on");
    const { entries } = (await ada.client.get(`/api/records/${id}/files`)).body;
    expect(entries).toMatchObject([{ key: "tides.csv" }]);
    expect(sent(world)).toHaveLength(1);
  });

  test("what the site never takes goes to the tray in its words (upstreams F20)", async (row) => {
    needsFake(row, "a quota of four bytes");
    const world = await givenDraft();
    const { desk, id } = world;
    fakeOf(world).switches.quotaBytes = 4;
    await addFile(desk, id, "tides.csv", "more than four bytes");
    await settle(world);
    expect(await trayOf(desk)).toMatchObject([
      { kind: "file.commit", reason: expect.stringContaining("Maximum file size exceeded.") },
    ]);
  });

  test("files of the last version are imported; a lost answer is no second import (upstreams F8, files.import)", async () => {
    let record = "";
    const world = await givenDesk({}, async (ada) => {
      record = await givenRecordThere(ada, "First version");
    });
    const { desk, ada, there } = world;
    await pause(desk);
    const next = must(await desk.post(`/api/records/${record}/versions`), 201).body.id;
    there.site.switches.fault("lost-after", "POST", /files-import$/);
    must(await desk.post(`${draftAt(next)}/actions/files-import`), 201);
    await desk.post("/api/sync/resume");
    await settle(world);
    const id = String((await ownThere(world)).find((hit: { is_published: boolean }) => !hit.is_published).id);
    expect(await filesThere(ada.client, id)).toMatchObject([{ key: "tides.csv", status: "completed" }]);
    expect((await desk.get(`${draftAt(id)}/files`)).body.entries).toMatchObject([{ key: "tides.csv" }]);
    expect(await trayOf(desk)).toEqual([]);
  });

  test("an import into a draft that has got other files meanwhile is in the tray; those are shown (upstreams U5)", async () => {
    let record = "";
    const world = await givenDesk({}, async (ada) => {
      record = await givenRecordThere(ada, "First version");
    });
    const { desk, ada } = world;
    must(await desk.post(`/api/records/${record}/versions`), 201);
    await settle(world);
    const id = String((await ownThere(world)).find((hit: { is_published: boolean }) => !hit.is_published).id);
    await pause(desk);
    must(await desk.post(`${draftAt(id)}/actions/files-import`), 201);
    await addFile(ada.client, id, "notes.txt", "of the browser");
    await desk.post("/api/sync/resume");
    await settle(world);
    expect(await trayOf(desk)).toMatchObject([
      { kind: "files.import", reason: expect.stringContaining("has files on") },
    ]);
    for (const client of [desk, ada.client])
      expect((await client.get(`${draftAt(id)}/files`)).body.entries).toMatchObject([{ key: "notes.txt" }]);
  });

  test.each(deskProfiles.filter((profile) => profile !== "invenio-13"))(
    "bytes of %s are read when they are opened, checked by MD5, and stay here (upstreams 2.7)",
    async (profile) => {
      let record = "";
      const { desk, there } = await givenDesk({ profile }, async (ada) => {
        record = await givenRecordThere(ada, "With a file");
      });
      const content = `/api/records/${record}/files/tides.csv/content`;
      expect((await desk.get(content)).text).toBe("hour,height\n0,1.2\n");
      await expect.poll(async () => (await desk.get("/api/sync/storage")).body.cached).toBe(18);
      // The entry of the file gets the digest of its bytes with the next page.
      await desk.post("/api/sync/run");
      await there.stop();
      expect((await desk.get(content)).text).toBe("hour,height\n0,1.2\n");
    },
  );

  test("a ZIP of a published record is browsed, and one member read; a large file arrives whole (issue 20.4)", async () => {
    const zip = await fixtureBytes("info-zip.zip");
    let record = "";
    const world = await givenDesk({}, async (ada) => {
      record = await givenDraftThere(ada, "With a ZIP");
      await addFile(ada, record, "data.zip", zip);
      must(await ada.post(`${draftAt(record)}/actions/publish`), 202);
    });
    const { desk, ada } = world;
    const container = `/api/records/${record}/files/data.zip/container`;
    const listed = must(await desk.get(container), 200).body.entries.map(({ key }: { key: string }) => key);
    expect(listed.length).toBeGreaterThan(1);
    const [member] = listed.filter((key: string) => !key.endsWith("/"));
    expect((await desk.get(`${container}/${encodeURIComponent(member)}`)).status).toBe(200);

    await pause(desk);
    const large = Buffer.alloc(isReal ? 20 * 1024 * 1024 : 1024 * 1024, "tides of the North Sea\n");
    const local = must(await desk.post("/api/records", titled("With a large file")), 201).body.id;
    await addFile(desk, local, "large.bin", large);
    await desk.post("/api/sync/resume");
    await settle(world);
    const there = (await ownThere(world)).find((hit: { is_published: boolean }) => !hit.is_published);
    expect(await filesThere(ada.client, String(there.id))).toEqual([
      { key: "large.bin", status: "completed", checksum: md5(large) },
    ]);
  });

  test("files of a record that the user keeps are fetched by themselves (upstreams 2.7)", async () => {
    let record = "";
    const { desk } = await givenDesk({}, async (ada) => {
      record = await givenRecordThere(ada, "Kept here");
    });
    const rules = (await desk.get("/api/sync/keeping")).body;
    must(await desk.put("/api/sync/keeping", { ...rules, records: [record] }), 200);
    await expect.poll(async () => (await desk.get("/api/sync/storage")).body.cached).toBe(18);
  });

  test("101 files: the site says whether they are too many, and the tray says what to do (upstreams F20)", async () => {
    const world = await givenDraft();
    const { desk, id } = world;
    const keys = Array.from({ length: 101 }, (_, number) => ({ key: `gauge-${number}.csv` }));
    must(await desk.post(`${draftAt(id)}/files`, keys), 201);
    await settle(world);
    expect(await trayOf(desk)).toMatchObject([
      { kind: "file.init", reason: expect.stringContaining("Put files into a ZIP archive and add that instead.") },
    ]);
  });

  test("a site whose operator allows more than 100 files gets them (upstreams F20)", async (row) => {
    needsFake(row, "another limit");
    const world = await givenDraft();
    const { desk, ada, id } = world;
    fakeOf(world).switches.maxFiles = 1000;
    const keys = Array.from({ length: 101 }, (_, number) => ({ key: `gauge-${number}.csv` }));
    must(await desk.post(`${draftAt(id)}/files`, keys), 201);
    await settle(world);
    expect(await trayOf(desk)).toEqual([]);
    expect(await filesThere(ada.client, id)).toHaveLength(101);
  });
});
