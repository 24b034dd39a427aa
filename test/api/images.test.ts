import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { roles, startApi } from "../support/api.ts";
import type { HttpClient } from "../support/http-client.ts";
import { addFiles, givenPictures, picture, shapeOf, turnedPicture } from "../support/pictures.ts";
import { givenDraft, metadata } from "../support/records.ts";
import { until } from "../support/until.ts";

const version3 = 'application/ld+json;profile="http://iiif.io/api/image/3/context.json"';
const photo = await picture(1600, 1200, "jpeg");
/** A PNG that claims this size and has no pixels. */
function emptyPng(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(64);
  Buffer.from("89504e470d0a1a0a0000000d49484452", "hex").copy(bytes);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

/** Calls for one image. */
const imageCalls = (client: HttpClient, id: string, key = "photo.jpg", about = "record") => {
  const image = `/api/iiif/${about}:${id}:${encodeURIComponent(key)}`;
  return {
    image,
    get: (rest: string, accept = "*/*") => client.get(`${image}${rest}`, { headers: { accept } }),
    shape: async (rest: string) => {
      const { status, bytes, text } = await client.get(`${image}/${rest}`);
      return status === 200 ? shapeOf(bytes) : [status, text];
    },
  };
};

describe.each(roles)("IIIF Image API on the %s (interoperability 11)", (role) => {
  test("regions, sizes and formats of level 1", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const id = await givenPictures(alice, { "photo.jpg": photo });
    const { shape, get } = imageCalls(alice, id);
    const answers = {
      "full/max/0/default.jpg": [1600, 1200, "jpeg"],
      "full/full/0/default.png": [1600, 1200, "png"],
      "full/250,/0/default.jpg": [250, 188, "jpeg"],
      "full/,300/0/default.jpg": [400, 300, "jpeg"],
      "full/200,100/0/default.jpg": [200, 100, "jpeg"],
      "full/!100,100/0/color.png": [100, 75, "png"],
      "full/pct:25/0/default.jpg": [400, 300, "jpeg"],
      "full/^2000,/0/default.jpg": [2000, 1500, "jpeg"],
      "square/150,/0/default.jpg": [150, 150, "jpeg"],
      "100,200,300,400/max/0/default.jpg": [300, 400, "jpeg"],
      "1500,0,300,100/max/0/default.jpg": [100, 100, "jpeg"],
      "pct:50,50,50,50/200,/0/default.jpg": [200, 150, "jpeg"],
    };
    for (const [rest, expected] of Object.entries(answers)) expect([rest, await shape(rest)]).toEqual([rest, expected]);
    const refused = ["0,0,0,9/max/0/default.jpg", "2000,0,9,9/max/0/default.jpg", "middle/max/0/default.jpg"];
    refused.push(
      "full/2000,/0/default.jpg",
      "full/0,/0/default.jpg",
      "full/^5000,/0/default.jpg",
      "full/9/0/default.jpg",
    );
    refused.push(
      "full/max/90/default.jpg",
      "full/max/0/gray.jpg",
      "full/max/0/default.webp",
      "full/max/!0/default.jpg",
    );
    for (const rest of refused) {
      const { status, body } = await get(`/${rest}`);
      expect([rest, status, body.message]).toEqual([
        rest,
        400,
        expect.stringMatching(/^Invalid (region|size|rotation)|quality/),
      ]);
    }
  });

  test("info.json in version 2, and 3 for its profile; the base leads there; headers for viewers", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const id = await givenPictures(alice, { "on its side.jpg": await turnedPicture() });
    const { image, get, shape } = imageCalls(alice, id, "on its side.jpg");
    const { body, headers } = await get("/info.json");
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("link")).toContain('<http://iiif.io/api/image/3/level1.json>; rel="profile"');
    const size = { width: 600, height: 800 };
    const own = expect.stringContaining(image);
    expect(body).toMatchObject({ "@context": "http://iiif.io/api/image/2/context.json", "@id": own, ...size });
    expect(body.profile[0]).toBe("http://iiif.io/api/image/2/level1.json");
    expect(body.sizes).toContainEqual({ width: 250, height: 333 });
    const three = (await get("/info.json", version3)).body;
    expect(three).toMatchObject({ id: own, type: "ImageService3", profile: "level1", ...size });
    const base = await alice.get(image);
    expect([base.status, base.headers.get("location")]).toEqual([303, `${body["@id"]}/info.json`]);
    // The drawn size is the announced one.
    expect(await shape("full/max/0/default.jpg")).toEqual([600, 800, "jpeg"]);
    const first = await get("/full/250,/0/default.jpg");
    const etag = first.headers.get("etag") ?? "";
    expect((await alice.get(`${image}/full/250,/0/default.jpg`, { headers: { "if-none-match": etag } })).status).toBe(
      304,
    );
    expect(first.headers.get("content-security-policy")).toContain("sandbox");
  });

  test("links of records, drafts and files lead to pictures; other files have none", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const files = {
      "a.txt": Buffer.from("a"),
      "plot 1.png": await picture(40, 20, "png"),
      "b.gif": await picture(300, 300, "gif"),
    };
    const id = await givenPictures(alice, files);
    const { links, files: summary } = (await alice.get(`/api/records/${id}`)).body;
    expect(Object.keys(links.thumbnails)).toEqual(["10", "50", "100", "250", "750", "1200"]);
    expect(links.thumbnails["250"]).toContain(`/api/iiif/record:${id}:plot%201.png/full/%5E250,/0/default.jpg`);
    expect(await shapeOf((await alice.get(links.thumbnails["250"])).bytes)).toEqual([250, 125, "jpeg"]);
    const { entries } = summary;
    expect(entries["a.txt"].links).not.toHaveProperty("iiif_base");
    expect(await shapeOf((await alice.get(entries["b.gif"].links.iiif_api)).bytes)).toEqual([300, 300, "png"]);
    expect((await alice.get(entries["b.gif"].links.iiif_info)).body.width).toBe(300);
    const manifest = (await alice.get(links.self_iiif_manifest)).body;
    const { service } = manifest.sequences[0].canvases[0].images[0].resource;
    expect((await alice.get(`${service["@id"]}/info.json`)).body["@id"]).toBe(service["@id"]);
    const draft = await givenDraft(alice, { files: { enabled: true }, metadata });
    expect((await alice.get(`/api/records/${draft}/draft`)).body.links).not.toHaveProperty("thumbnails");
    await addFiles(alice, draft, { "c.tif": await picture(30, 30, "tiff") });
    const drafted = (await alice.get(`/api/records/${draft}/draft`)).body.links.thumbnails["50"];
    expect(drafted).toContain(`/api/iiif/draft:${draft}:c.tif/`);
    expect((await alice.get(drafted)).status).toBe(200);
    expect((await imageCalls(alice, id, "a.txt").get("/info.json")).status).toBe(404);
    expect((await alice.get("/api/iiif/nothing/info.json")).status).toBe(400);
  });

  test("hostile pictures only fail: bombs, damage, other formats", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const id = await givenPictures(alice, {
      "photo.jpg": photo,
      "bomb.png": emptyPng(60_000, 60_000),
      "empty.png": emptyPng(800, 600),
      "cut.jpg": photo.subarray(0, 1000),
      "vector.png": Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'.padEnd(99)),
    });
    const statusOf = async (key: string) => (await imageCalls(alice, id, key).get("/full/100,/0/default.jpg")).status;
    for (const key of ["bomb.png", "empty.png", "cut.jpg"]) expect([key, await statusOf(key)]).toEqual([key, 422]);
    expect(await statusOf("vector.png")).toBe(404);
    expect(await statusOf("photo.jpg")).toBe(200);
  });
});

test("who may not read the file gets no picture of it; a link token opens it (interoperability 11)", async () => {
  const api = await startApi("server");
  const alice = await api.as("alice");
  const restricted = { record: "public", files: "restricted" };
  const embargo = { active: true, until: "2999-01-01" };
  for (const access of [restricted, { ...restricted, embargo }, { record: "restricted", files: "restricted" }]) {
    const id = await givenPictures(alice, { "photo.jpg": photo }, access);
    const { token } = (await alice.post(`/api/records/${id}/access/links`, { permission: "view" })).body;
    for (const [rest, status] of [
      ["", 303],
      ["/info.json", 200],
      ["/full/100,/0/default.jpg", 200],
    ] as const) {
      const { image } = imageCalls(alice, id);
      // The picture is drawn and cached for the owner first.
      expect((await alice.get(`${image}${rest}`)).status).toBe(status);
      expect((await api.anonymous.get(`${image}${rest}`)).status).toBe(403);
      expect((await api.anonymous.get(`${image}${rest}?token=${token}`)).status).toBe(status);
    }
    const { links, files } = (await api.anonymous.get(`/api/records/${id}`)).body;
    if (links) expect([links.thumbnails, files.entries]).toEqual([undefined, undefined]);
  }
  const draft = await givenDraft(alice, { files: { enabled: true }, metadata });
  await addFiles(alice, draft, { "photo.jpg": photo });
  const { image } = imageCalls(alice, draft, "photo.jpg", "draft");
  expect((await alice.get(`${image}/info.json`)).status).toBe(200);
  expect((await (await api.as("bob")).get(`${image}/info.json`)).status).toBe(403);
});

test("a replica draws what it holds, offline too, and asks the server for the rest (interoperability 11)", async () => {
  const api = await startApi("replica");
  const id = await givenPictures(await api.as("alice"), { "photo.jpg": photo });
  const bob = await api.as("bob");
  const { blobs } = (await api.replicaOf("bob")).host;
  const { shape } = imageCalls(bob, id);
  const sha256 = createHash("sha256").update(photo).digest("hex");
  expect(await shape("full/100,/0/default.jpg")).toEqual([100, 75, "jpeg"]);
  // The picture came from the server, without its file.
  expect(await blobs.has(sha256)).toBe(false);
  await bob.get(`/api/records/${id}/files/photo.jpg/content`);
  await until(() => blobs.has(sha256));
  await bob.post("/api/sync/pause");
  expect(await shape("full/90,/0/default.jpg")).toEqual([90, 68, "jpeg"]);
  const carol = await api.as("carol");
  expect((await imageCalls(carol, id).get("/info.json")).status).toBe(200);
  await carol.post("/api/sync/pause");
  expect((await imageCalls(carol, id).get("/full/100,/0/default.jpg")).status).toBe(503);
});

test("a replica has canvases for small pictures whose bytes only the server has, as on the server (records 12)", async () => {
  const api = await startApi("replica");
  const files = { "a.png": await picture(510, 410, "png"), "b.tif": await picture(520, 420, "tiff") };
  const id = await givenPictures(await api.as("alice"), files);
  const bob = await api.as("bob");
  // The replica is the first to measure them: both hosts of a test remember sizes together.
  const { canvases } = (await bob.get(`/api/iiif/record:${id}/sequence/default`)).body;
  expect(canvases.map(({ label, width }: { label: string; width: number }) => [label, width])).toEqual([
    ["a.png", 510],
    ["b.tif", 520],
  ]);
  expect((await bob.get(`/api/iiif/record:${id}/canvas/a.png`)).status).toBe(200);
  const sha256 = createHash("sha256").update(files["a.png"]).digest("hex");
  expect(await (await api.replicaOf("bob")).host.blobs.has(sha256)).toBe(false);
});

test("pages show the picture: landing page, og:image, search results; nobody else's (interoperability 11)", async () => {
  const api = await startApi("server");
  const alice = await api.as("alice");
  const id = await givenPictures(alice, { "a/photo.jpg": photo });
  const page = (path: string) => api.anonymous.get(path, { headers: { accept: "text/html" } });
  const sourcesIn = (text: string) =>
    [...text.matchAll(/(?:src|og:image" content)="([^"]*\/api\/iiif\/[^"]*)"/g)].map(([, address = ""]) => address);
  const landing = (await page(`/records/${id}`)).text;
  const found = (await page("/search?q=romans")).text;
  expect([sourcesIn(landing).length, sourcesIn(found).length]).toEqual([2, 1]);
  for (const address of [...sourcesIn(landing), ...sourcesIn(found)])
    expect((await api.anonymous.get(address)).headers.get("content-type")).toBe("image/jpeg");
  expect((await page(/class="cover"><a href="([^"]*)"/.exec(landing)?.[1] ?? "")).status).toBe(200);
  const hidden = await givenPictures(alice, { "photo.jpg": photo }, { record: "public", files: "restricted" });
  expect(sourcesIn((await page(`/records/${hidden}`)).text)).toEqual([]);
});
