import { plugins } from "@citation-js/core";
import "@citation-js/plugin-bibtex";
import { XMLValidator } from "fast-xml-parser";
import { describe, expect, test } from "vitest";
import { recordTypes } from "../../shared/representations/representations.ts";
import { roles, startApi } from "../support/api.ts";
import type { HttpClient } from "../support/http-client.ts";
import { givenDraft, givenRecord, metadata, publish } from "../support/records.ts";

const accepting = (type: string) => ({ headers: { accept: type } });
const typeOf = (headers: Headers) => headers.get("content-type")?.split(";")[0];

describe.each(roles)("representations on the %s (records 10)", (role) => {
  test("every type of a record, a draft and a search", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const id = await givenRecord(alice);
    const draft = await givenDraft(alice);
    for (const path of [`/api/records/${id}`, `/api/records/${draft}/draft`, "/api/records", "/api/user/records"]) {
      for (const type of recordTypes) {
        const { status, headers, text } = await alice.get(path, accepting(type));
        expect([path, type, status]).toEqual([path, type, 200]);
        expect(typeOf(headers)).toBe(type === "text/x-bibliography" ? "text/plain" : type.split(";")[0]);
        if (type.endsWith("xml")) expect(XMLValidator.validate(text)).toBe(true);
        else if (/json(;|$)/.test(type)) JSON.parse(text);
        else if (type.endsWith("csv")) expect(text).toMatch(/^id,.+\r\n/);
        else if (type.endsWith("yaml")) expect(text).toContain("A Romans story");
        else if (type.endsWith("systems")) expect(text).toMatch(/^TY {2}- FIGURE\r\n/);
        else if (type.startsWith("text/")) expect(text).toContain("A Romans story");
        else expect(plugins.input.chain(text).length).toBeGreaterThan(0);
      }
    }
  });

  test("text/x-bibliography: style, locale; served as text/plain; unknown style 400", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const id = await givenRecord(alice);
    const ask = (query: string) => alice.get(`/api/records/${id}${query}`, accepting("text/x-bibliography"));
    const page = (await alice.get(`/api/records/${id}`)).body.links.self_html;
    expect((await ask("")).text).toBe(`Brown, T. (2020). A Romans story [Photo]. ${page}\n`);
    const ieee = await ask("?style=ieee&locale=da");
    expect(ieee.text).toBe(`T. Brown, “A Romans story,” 1. juni 2020. ${page}\n`);
    expect(ieee.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    const unknown = await ask("?style=nonsense");
    expect(unknown).toMatchObject({ status: 400, body: { errors: [{ field: "style" }] } });
    expect((await alice.get(`/api/records/${id}?style=nonsense`)).status).toBe(200);
    expect((await ask("?locale=no-such-language-at-all")).status).toBe(200);
  });

  test("the best match of Accept wins; nothing fitting is 406", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const id = await givenRecord(alice);
    const ask = (accept: string) => alice.get(`/api/records/${id}`, accepting(accept));
    expect(typeOf((await ask("application/x-bibtex;q=0.2, application/x-dc+xml")).headers)).toBe(
      "application/x-dc+xml",
    );
    expect(typeOf((await ask("*/*")).headers)).toBe("application/json");
    expect((await ask("application/vnd.inveniordm.v1+json")).body.ui).toMatchObject({ is_draft: false });
    expect(await ask("image/png")).toMatchObject({
      status: 406,
      body: { message: expect.stringMatching(/^Invalid 'Accept'/) },
    });
    expect((await alice.head(`/api/records/${id}`, accepting("application/x-bibtex"))).status).toBe(200);
  });
});

/** The header of a PNG of this size; nothing else is read. */
function png(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(64);
  Buffer.from("89504e470d0a1a0a0000000d49484452", "hex").copy(bytes);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

async function upload(client: HttpClient, id: string, key: string, bytes: Buffer): Promise<void> {
  const files = `/api/records/${id}/draft/files`;
  await client.post(files, [{ key }]);
  await client.putBytes(`${files}/${encodeURIComponent(key)}/content`, bytes);
  expect((await client.post(`${files}/${encodeURIComponent(key)}/commit`)).status).toBe(200);
}

async function givenImages(client: HttpClient, access = { record: "public", files: "public" }): Promise<string> {
  const id = await givenDraft(client, { access, files: { enabled: true }, metadata });
  await upload(client, id, "a photo.png", png(800, 600));
  await upload(client, id, "small.png", png(256, 900));
  await upload(client, id, "text.txt", Buffer.from("no image"));
  return id;
}

describe.each(roles)("IIIF on the %s (records 12)", (role) => {
  test("manifest, sequence and canvas of a record and a draft", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const id = await givenImages(alice);
    const drafted = await alice.get(`/api/iiif/draft:${id}/manifest`);
    expect(drafted.body.sequences[0].canvases).toHaveLength(1);
    await publish(alice, id);
    const { links } = (await alice.get(`/api/records/${id}`)).body;
    const { status, headers, body } = await alice.get(links.self_iiif_manifest);
    expect(status).toBe(200);
    expect(typeOf(headers)).toBe("application/ld+json");
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(body).toMatchObject({
      "@context": "http://iiif.io/api/presentation/2/context.json",
      "@type": "sc:Manifest",
      "@id": links.self_iiif_manifest,
      label: metadata.title,
      description: "",
      metadata: [{ value: "2020-06-01" }],
      sequences: [
        { "@type": "sc:Sequence", canvases: [{ "@type": "sc:Canvas", label: "a photo.png", width: 800, height: 600 }] },
      ],
    });
    const sequence = await alice.get(links.self_iiif_sequence, accepting("application/json"));
    expect(sequence.body).toEqual(body.sequences[0]);
    const [canvas] = sequence.body.canvases;
    expect((await alice.get(canvas["@id"])).body).toEqual(canvas);
    expect((await alice.get(canvas.images[0].resource["@id"])).bytes).toEqual(png(800, 600));
    expect((await alice.get(`/api/iiif/record:${id}/canvas/text.txt`)).status).toBe(404);
    expect((await alice.get(`/api/iiif/record:${id}:a.png/info.json`)).status).toBe(404);
  });

  test("malformed 400, unknown 404, draft of others 403", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const id = await givenImages(alice);
    const statusOf = async (path: string) => (await alice.get(`/api/iiif/${path}`)).status;
    expect(await statusOf("nothing/manifest")).toBe(400);
    expect(await statusOf("record:/manifest")).toBe(400);
    expect(await statusOf("file:x/manifest")).toBe(400);
    expect(await statusOf("record:4d0ns-ntd89/manifest")).toBe(404);
    expect((await api.anonymous.get(`/api/iiif/draft:${id}/manifest`)).status).toBe(403);
  });
});

test("restricted files: no canvases, still 200; restricted record: 403 (records 12)", async () => {
  const api = await startApi("server");
  const alice = await api.as("alice");
  const hidden = await givenImages(alice, { record: "public", files: "restricted" });
  await publish(alice, hidden);
  const { status, body } = await api.anonymous.get(`/api/iiif/record:${hidden}/manifest`);
  expect([status, body.sequences[0].canvases]).toEqual([200, []]);
  expect((await api.anonymous.get(`/api/iiif/record:${hidden}/canvas/a%20photo.png`)).status).toBe(403);
  const secret = await givenImages(alice, { record: "restricted", files: "restricted" });
  await publish(alice, secret);
  expect((await api.anonymous.get(`/api/iiif/record:${secret}/manifest`)).status).toBe(403);
});
