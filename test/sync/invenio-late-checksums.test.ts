import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { fakeOf, needsFake } from "../support/desk-site.ts";
import { must } from "../support/files.ts";
import { draftAt, givenDesk, givenDraftThere, givenRecordThere } from "../support/invenio-desk.ts";
import { until } from "../support/until.ts";

test("a record that was published before the site had computed the MD5 of a file gets the file later (upstreams F11)", async (row) => {
  needsFake(row, "a checksum that comes an hour later");
  const bytes = "hour,height\n0,1.2\n";
  let id = "";
  const world = await givenDesk({}, async (ada, there) => {
    fakeOf({ there }).switches.checksumLagMs = 3_600_000;
    id = await givenDraftThere(ada, "Tides");
    const files = `${draftAt(id)}/files`;
    const transfer = { type: "M", parts: 1, part_size: bytes.length };
    must(await ada.post(files, [{ key: "tides.csv", size: bytes.length, transfer }]), 201);
    must(await ada.putBytes(`${files}/tides.csv/content/1`, bytes), 200);
    must(await ada.post(`${files}/tides.csv/commit`), 200);
    must(await ada.post(`${draftAt(id)}/actions/publish`), 202);
  });
  const { desk, there, advance, run } = world;
  const content = () => desk.get(`/api/records/${id}/files/tides.csv/content`);
  expect(await content()).toMatchObject({ status: 503, body: { message: expect.stringContaining("not here yet") } });
  // An archive without it would look whole.
  expect((await desk.get(`/api/records/${id}/files-archive`)).status).toBe(503);
  advance(90_000);
  there.site.clock.advance(90_000_000);
  await run();
  expect(await content()).toMatchObject({ status: 200, text: bytes });
  expect((await desk.get(`/api/records/${id}/files-archive`)).status).toBe(200);
});

test("a reader who was given the digest that stood for a file gets its bytes after the real digest was learned (upstreams F11)", async () => {
  let id = "";
  const { desk, replica } = await givenDesk({}, async (ada) => {
    id = await givenRecordThere(ada, "Tides");
  });
  const { blobs, db } = replica.host;
  const digest = async () => {
    const entry = db.selectFrom("file_entry").select("sha256").where("owner_id", "=", id);
    return (await entry.executeTakeFirstOrThrow()).sha256 ?? "";
  };
  const standIn = await digest();
  must(await desk.get(`/api/records/${id}/files/tides.csv/content`), 200);
  await until(async () => (await digest()) !== standIn, "the digest is learned");
  expect(await blobs.has(standIn)).toBe(true);
  expect((await blobs.readBytes(standIn, { start: 0, end: 4 })).toString()).toBe("hour");
  expect(await text(await blobs.read(standIn))).toBe("hour,height\n0,1.2\n");
});
