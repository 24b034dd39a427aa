import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { writeZip } from "../../shared/containers/zip-writer.ts";
import { deskProfiles, fakeOf, needsFake } from "../support/desk-site.ts";
import type { ProfileName } from "../support/fake-invenio/profile.ts";
import { addFile, fixtureBytes, must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { type Desk, draftAt, givenDesk, givenDraftThere } from "../support/invenio-desk.ts";

/** Beyond what is read whole for a part of it. */
const large = Buffer.alloc(33 * 1024 * 1024);

const zipOf = (files: Record<string, string | Buffer>): Promise<Buffer> => {
  const members = Object.entries(files).map(([name, content]) => {
    const bytes = Buffer.from(content);
    const size = { sizeBytes: bytes.length, compressedBytes: bytes.length };
    return { name, dosTime: 0x210000, method: 0, crc32: undefined, ...size, open: async () => Readable.from([bytes]) };
  });
  return buffer(Readable.from(writeZip(members)));
};

const small = { "readme.txt": "Read me first.\n", "data/deep/leaf.json": "{}", "hollow/": "" };

interface Archive extends Desk {
  /** The listing, on the site and on the replica. */
  container: string;
  /** What the desk asked the site about the archive: the rest of the path, and the range. */
  asked(): string[];
}

async function givenArchive(zip: Buffer, profile: ProfileName = "invenio-14"): Promise<Archive> {
  let file = "";
  const world = await givenDesk({ profile }, async (ada) => {
    const id = await givenDraftThere(ada, "With an archive");
    await addFile(ada, id, "data.zip", zip);
    must(await ada.post(`${draftAt(id)}/actions/publish`), 202);
    file = `/api/records/${id}/files/data.zip`;
  });
  const asked = () =>
    world.there.site.calls
      .filter(({ method, path }) => method === "GET" && path.startsWith(file))
      .map(({ path, headers }) => [path.slice(file.length), headers.range].filter(Boolean).join(" "));
  return { ...world, container: `${file}/container`, asked };
}

const keysOf = async (desk: HttpClient, container: string) =>
  must(await desk.get(container), 200).body.entries.map(({ key }: { key: string }) => key);
const downloadFirst = { status: 503, body: { message: expect.stringContaining("Download “data.zip” once") } };

describe("archives that an InvenioRDM lists itself (upstreams F13)", () => {
  test.each([
    ["a large one", { ...small, "big.bin": large }],
    ["a small one", small],
  ])("%s is listed and one file of it read, without the rest", async (_, files) => {
    const { desk, container, asked, there } = await givenArchive(await zipOf(files));
    const { body } = must(await desk.get(container), 200);
    expect(body.entries.slice(0, 2)).toMatchObject([
      { key: "readme.txt", size: 15, compressed_size: 15, checksum: expect.stringMatching(/^crc:\d+$/) },
      { key: "data/deep/leaf.json", size: 2, mimetype: "application/json" },
    ]);
    const directories = body.directories.map(({ key }: { key: string }) => key);
    expect(directories.sort()).toEqual(["data", "data/deep", "hollow"]);
    expect(body).toMatchObject({ total: Object.keys(files).length - 1, truncated: false });
    expect(asked()).toEqual(["/content bytes=0-0", "", "/container"]);
    expect(
      must(await desk.get(`${container}/data?depth=1`, { headers: { accept: "application/json" } }), 200).body,
    ).toMatchObject({ entries: [], directories: [{ key: "data/deep", count: 1, size: 2 }] });
    expect((await desk.get(`${container}/data/deep/leaf.json`)).text).toBe("{}");
    expect((await desk.get(`${container}/data/none.json`)).status).toBe(404);
    expect(asked().slice(3)).toEqual(["/container/data/deep/leaf.json"]);

    await there.stop();
    expect(await keysOf(desk, container)).toHaveLength(body.total);
    expect((await desk.get(`${container}/readme.txt`)).status).toBe(503);
  });

  test("a folder of a large one is downloaded after the archive; of a small one at once", async () => {
    const one = await givenArchive(await zipOf({ ...small, "big.bin": large }));
    must(await one.desk.get(one.container), 200);
    expect(await one.desk.get(`${one.container}/data`)).toMatchObject(downloadFirst);
    must(await one.desk.get(one.container.replace("container", "content")), 200);
    await expect.poll(async () => (await one.desk.get("/api/sync/storage")).body.cached).toBeGreaterThan(0);
    await one.desk.post("/api/sync/run");
    const before = one.asked().length;
    expect((await one.desk.get(`${one.container}/data`)).bytes.subarray(0, 2).toString()).toBe("PK");
    expect((await one.desk.get(`${one.container}/readme.txt`)).text).toBe("Read me first.\n");
    expect(one.asked()).toHaveLength(before);

    const other = await givenArchive(await zipOf(small));
    must(await other.desk.get(other.container), 200);
    expect((await other.desk.get(`${other.container}/data`)).bytes.subarray(0, 2).toString()).toBe("PK");
  });

  test.for(["switched off", "invenio-13"])("a site without listings is asked once: %s", async (kind, row) => {
    needsFake(row, "a site without listings");
    const profile = deskProfiles.find((one) => one === kind) ?? "invenio-14";
    const world = await givenArchive(await zipOf({ ...small, "big.bin": large }), profile);
    fakeOf(world).switches.containers = false;
    const { desk, container, asked } = world;
    for (let times = 0; times < 2; times++) expect(await desk.get(container)).toMatchObject(downloadFirst);
    const rest = asked();
    expect(rest.filter((path) => path === "")).toHaveLength(1);
    expect(rest.some((path) => path.startsWith("/container"))).toBe(false);
  });

  test("a site with ranges is read by ranges", async (row) => {
    needsFake(row, "ranges");
    const { desk, container, asked } = await givenArchive(await zipOf({ ...small, "big.bin": large }), "zenodo");
    expect(await keysOf(desk, container)).toContain("big.bin");
    expect((await desk.get(`${container}/readme.txt`)).text).toBe("Read me first.\n");
    expect(asked().every((call) => call.startsWith("/content bytes="))).toBe(true);
  });

  test.for([
    ["cut off", { listedMembers: 2 }],
    ["refused", { archiveBytes: 1 }],
    ["without numbers", { listing: { entries: [{ key: "readme.txt" }], directories: [], truncated: false } }],
    ["with odd keys", { listing: { ...listing("data//leaf.json"), truncated: false } }],
  ])("a listing that is %s is not believed; a small archive is read itself", async ([_, switches], row) => {
    needsFake(row, "other limits");
    for (const isLarge of [false, true]) {
      const world = await givenArchive(await zipOf({ ...small, ...(isLarge ? { "big.bin": large } : {}) }));
      Object.assign(fakeOf(world).switches, switches);
      const { desk, container } = world;
      if (isLarge) expect(await desk.get(container)).toMatchObject(downloadFirst);
      else expect(await keysOf(desk, container)).toEqual(["readme.txt", "data/deep/leaf.json"]);
    }
  });

  test("names that the site mangles are right in a small archive, and as it has them in a large one", async () => {
    const one = await givenArchive(await fixtureBytes("info-zip.zip"));
    const key = "pictures/été 日本.svg";
    expect(await keysOf(one.desk, one.container)).toContain(key);
    expect((await one.desk.get(`${one.container}/${encodeURIComponent(key)}`)).status).toBe(200);

    const other = await givenArchive(await zipOf({ "日本.txt": "x", "été.txt": "summer", "big.bin": large }));
    expect(await keysOf(other.desk, other.container)).toEqual(["日本.txt", "été.txt", "big.bin"]);
    expect((await other.desk.get(`${other.container}/${encodeURIComponent("été.txt")}`)).text).toBe("summer");
    expect(await other.desk.get(`${other.container}/${encodeURIComponent("日本.txt")}`)).toMatchObject(downloadFirst);
  });

  test("names that leave the archive are shown and never asked for; other bytes than listed are cut", async (row) => {
    needsFake(row, "a hostile listing");
    const world = await givenArchive(await zipOf({ ...small, "big.bin": large }));
    const { desk, container, asked } = world;
    fakeOf(world).switches.listing = listing("../../draft", "/etc/passwd", "readme.txt", "..");
    const { body } = must(await desk.get(container), 200);
    expect(body.entries).toMatchObject([
      { key: "../../draft", metadata: { error: expect.any(String) } },
      { key: "/etc/passwd", metadata: { error: expect.any(String) } },
      { key: "readme.txt", size: 3 },
      { key: "..", metadata: { error: expect.any(String) } },
    ]);
    const before = asked().length;
    for (const path of ["..%2F..%2Fdraft", "%2Fetc%2Fpasswd"])
      expect((await desk.get(`${container}/${path}`)).status).toBeGreaterThanOrEqual(400);
    expect(asked()).toHaveLength(before);
    await expect(desk.get(`${container}/readme.txt`)).rejects.toThrow();
  });

  test("an archive of a draft is listed and opened there, too", async () => {
    let id = "";
    const { desk, there } = await givenDesk({}, async (ada) => {
      id = await givenDraftThere(ada, "With an archive");
      await addFile(ada, id, "data.zip", await zipOf(small));
    });
    const container = `/api/sync/drafts/${id}/files/data.zip/container`;
    expect(await keysOf(desk, container)).toEqual(["readme.txt", "data/deep/leaf.json"]);
    expect((await desk.get(`${container}/data/deep/leaf.json`)).text).toBe("{}");
    const opened = there.site.calls.filter(({ path }) => path.includes("/container")).map(({ path }) => path);
    const at = `${draftAt(id)}/files/data.zip/container`;
    expect(opened).toEqual([at, `${at}/data/deep/leaf.json`]);
  });

  test("an error of the site for one file leads to the archive itself", async () => {
    const { desk, container, there } = await givenArchive(await zipOf(small));
    must(await desk.get(container), 200);
    there.site.switches.fault("refused-500", "GET", /container\/readme/);
    expect((await desk.get(`${container}/readme.txt`)).text).toBe("Read me first.\n");
  });
});

function listing(...keys: string[]) {
  const entries = keys.map((key) => ({ key, size: 3, compressed_size: 3, crc: 1 }));
  return { entries, directories: [{ key: "../up" }, { key: "." }], truncated: false, total: 3 };
}
