import { beforeAll, describe, expect, test } from "vitest";
import { exportFormats } from "../../shared/representations/export-formats.ts";
import { type Api, startApi } from "../support/api.ts";
import type { HttpClient } from "../support/http-client.ts";
import { addFiles, picture } from "../support/pictures.ts";
import { givenDraft, metadata, publish } from "../support/records.ts";

/** A word that stands in each field and file name of a record that is hidden. */
const secret = "Zanzibarite";
const open = { record: "public", files: "public" };
const closed = { record: "restricted", files: "restricted" };
const halfOpen = { record: "public", files: "restricted" };
const embargo = { active: true, until: "2199-01-01", reason: null };

const hidden = {
  ...metadata,
  title: `${secret} title`,
  description: `<p>${secret} abstract</p>`,
  creators: [{ person_or_org: { type: "personal", family_name: secret, given_name: "Ann" } }],
  subjects: [{ subject: secret }],
  publisher: secret,
};

let api: Api;
let alice: HttpClient;
let photo: Buffer;
beforeAll(async () => {
  const site = { name: "Ocean", contact: "a@example.org" };
  const collections = [{ slug: "all", title: "All", query: "metadata.title:*", text: "" }];
  api = await startApi("server", { settings: { site, collections, limits: { pages: false } } });
  alice = await api.as("alice");
  photo = await picture(400, 300, "png");
});

const key = `${secret}.png`;

async function given(access: object, isPublished = true): Promise<string> {
  const id = await givenDraft(alice, { metadata: hidden, access });
  await addFiles(alice, id, { [key]: photo });
  if (isPublished) await publish(alice, id);
  return id;
}

async function changeAccess(id: string, access: object): Promise<void> {
  await alice.post(`/api/records/${id}/draft`);
  await alice.put(`/api/records/${id}/draft`, { metadata: hidden, access });
  await publish(alice, id);
}

/** Each address that tells of one record, whoever knows its id. */
function addressesOf(id: string): [path: string, accept: string][] {
  const file = encodeURIComponent(key);
  const pages = ["", "/files/", `/files/${file}`, `/preview/${file}`, "/people", "/versions", "/export", "/latest"];
  const formats = Object.keys(exportFormats);
  const iiif = [`record:${id}:${file}`, `draft:${id}:${file}`];
  const drawn = ["/info.json", "/full/!250,250/0/default.jpg", "/full/max/0/default.png"];
  const api = ["", "/versions", "/versions/latest", "/files", `/files/${file}`, `/files/${file}/content`];
  const others = [
    "/files-archive",
    `/files/${file}/container`,
    "/draft",
    "/draft/files",
    `/draft/files/${file}/content`,
  ];
  return [
    ...pages.map((rest): [string, string] => [`/records/${id}${rest}`, "text/html"]),
    ...formats.map((name): [string, string] => [`/records/${id}/export/${name}`, "*/*"]),
    ...formats.map((name): [string, string] => [`/api/records/${id}`, exportFormats[name]?.mediaType ?? ""]),
    ...[...api, ...others].map((rest): [string, string] => [`/api/records/${id}${rest}`, "*/*"]),
    [`/api/iiif/record:${id}/manifest`, "*/*"],
    ...iiif.flatMap((image) => drawn.map((rest): [string, string] => [`/api/iiif/${image}${rest}`, "*/*"])),
    ...["bibtex", "ris"].map((format): [string, string] => [`/unapi?id=${id}&format=${format}`, "*/*"]),
    ...["oai_dc", "datacite", "marcxml", "dcat"].map((prefix): [string, string] => [
      `/oai2d?verb=GetRecord&metadataPrefix=${prefix}&identifier=oai:localhost:${id}`,
      "*/*",
    ]),
  ];
}

/** Lists in which strangers would find it. */
const lists: [path: string, accept: string][] = [
  ...["/", "/search", `/search?q=${secret}`, "/collections/all", "/search?q=title:zan*"].map(
    (path): [string, string] => [path, "text/html"],
  ),
  ...["/search.atom", "/sitemap.xml", "/oai2d?verb=ListRecords&metadataPrefix=oai_dc", "/api/records?q=Zan*"].map(
    (path): [string, string] => [path, "*/*"],
  ),
  ...["text/csv", "application/x-bibtex", "application/vnd.inveniordm.v1+json"].map((type): [string, string] => [
    "/api/records",
    type,
  ]),
  ["/api/records?suggest=zan", "*/*"],
];

interface Seen {
  /** Addresses whose answer holds the word. */
  words: string[];
  /** Addresses that answered with bytes of the picture, or one drawn from it. */
  bytes: string[];
}

/** What a stranger sees of a record. The word of the question itself is taken out of the answer. */
async function seenOf(id: string): Promise<Seen> {
  const seen: Seen = { words: [], bytes: [] };
  for (const [path, accept] of [...addressesOf(id), ...lists]) {
    const { status, text, headers } = await api.anonymous.get(path, { headers: { accept } });
    const type = headers.get("content-type") ?? "";
    // An archive of a record without open files holds its metadata alone; names of members are plain text in it.
    const isArchive = type.startsWith("application/zip") && text.includes(key);
    if (status === 200 && (/^(image\/(?!svg)|application\/octet-stream)/.test(type) || isArchive))
      seen.bytes.push(path);
    const told = `${text} ${headers.get("link") ?? ""} ${headers.get("location") ?? ""}`;
    const asked = path.includes(secret) ? [secret, key, encodeURIComponent(key)] : [];
    const rest = asked.reduce((left, one) => left.replaceAll(one, ""), told);
    // An address that has the file's name may be repeated; everything else must not have the word.
    const found = path.includes(secret)
      ? /title|abstract|Ann/.test(rest) && told.includes(`${secret} title`)
      : told.includes(secret);
    if (found) seen.words.push(`${path} ${accept}`);
  }
  return seen;
}

const statsOf = async (id: string) =>
  (await api.anonymous.post("/api/stats", { asked: { stat: "record-view", params: { recid: id } } })).status;

const nothing: Seen = { words: [], bytes: [] };

describe("planted secrets are found nowhere by a stranger (web 13, issue 18, leak test)", () => {
  test("of a draft, a restricted and a deleted record: in no page, list, export, picture or statistic", async () => {
    const draft = await given(open, false);
    expect([await seenOf(draft), await statsOf(draft)]).toEqual([nothing, 200]);
    const restricted = await given(closed);
    expect([await seenOf(restricted), await statsOf(restricted)]).toEqual([nothing, 403]);
    const deleted = await given(open);
    // Drawn and kept before it is deleted.
    expect((await seenOf(deleted)).bytes.length).toBeGreaterThan(3);
    await (await api.as("admin")).delete(`/api/records/${deleted}/delete`, { citation_text: "Was here" });
    expect(await seenOf(deleted)).toEqual(nothing);
  }, 120_000);

  test("names, pictures and bytes of restricted and embargoed files are nowhere, though the record is public", async () => {
    for (const access of [halfOpen, { ...halfOpen, embargo }]) {
      const id = await given(access);
      expect((await seenOf(id)).bytes).toEqual([]);
      for (const [path, accept] of addressesOf(id).filter(([one]) => !one.includes(encodeURIComponent(key)))) {
        const { text } = await api.anonymous.get(path, { headers: { accept } });
        expect(text.includes(key) || text.includes(encodeURIComponent(key)), path).toBe(false);
      }
      await (await api.as("admin")).delete(`/api/records/${id}/delete`, { citation_text: "Was here" });
    }
  }, 120_000);

  test("a public record that is restricted is nowhere at once, and everywhere again when it is opened", async () => {
    const id = await given(open);
    const before = await seenOf(id);
    expect(before.bytes.filter((path) => path.includes("/api/iiif/"))).toHaveLength(2);
    for (const kind of ["/export/", "/oai2d?verb=GetRecord", "/search.atom", "/unapi", "/people", "/api/records "])
      expect(
        before.words.some((path) => path.includes(kind)),
        kind,
      ).toBe(true);
    await changeAccess(id, closed);
    expect([await seenOf(id), await statsOf(id)]).toEqual([nothing, 403]);
    await changeAccess(id, open);
    const after = await seenOf(id);
    expect(after).toEqual(before);
    expect(await statsOf(id)).toBe(200);
  }, 120_000);
});
