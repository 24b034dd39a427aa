import { beforeAll, describe, expect, test } from "vitest";
import { type Api, startApi } from "../support/api.ts";
import type { HttpClient } from "../support/http-client.ts";
import { childOf, childrenOf, parseXml, within, type Xml } from "../support/oai-harvester.ts";
import { givenDraft, givenRecord, metadata, publish } from "../support/records.ts";

const settings = { site: { name: "Ocean & Sea", contact: "a@example.org" }, oai: { namespace: "data.example.org" } };
const prefix = "oai:data.example.org:";

let api: Api;
let alice: HttpClient;
let live: string;
let deleted: string;
beforeAll(async () => {
  api = await startApi("server", { settings });
  alice = await api.as("alice");
  live = await givenRecord(alice);
  deleted = await givenRecord(alice);
  await (await api.as("admin")).delete(`/api/records/${deleted}/delete`, {});
});

const query = (parameters: Record<string, string> | string): string => new URLSearchParams(parameters).toString();

async function ask(parameters: Record<string, string> | string): Promise<Xml> {
  const { status, headers, text } = await api.anonymous.get(`/oai2d?${query(parameters)}`);
  expect([status, headers.get("content-type")]).toEqual([200, "text/xml; charset=utf-8"]);
  const root = parseXml(text);
  expect(root.name).toBe("OAI-PMH");
  expect(root.attributes.xmlns).toBe("http://www.openarchives.org/OAI/2.0/");
  expect(root.children.slice(0, 2).map(({ name }) => name)).toEqual(["responseDate", "request"]);
  expect(root.children[0]?.text).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/);
  expect(root.children[1]?.text).toBe(`${api.server.url}/oai2d`);
  return root;
}

const listed = (root: Xml): string[] =>
  within(root, "header").map((header) => childOf(header, "identifier")?.text.replace(prefix, "") ?? "");

describe("the verbs of OAI-PMH 2.0 (web 8, issue 18)", () => {
  test("Identify names repository, administrator, granularity, deletions and the scheme of identifiers, in order", async () => {
    const identify = childOf(await ask({ verb: "Identify" }), "Identify");
    expect(identify?.children.map(({ name, text }) => [name, text])).toEqual([
      ["repositoryName", "Ocean & Sea"],
      ["baseURL", `${api.server.url}/oai2d`],
      ["protocolVersion", "2.0"],
      ["adminEmail", "a@example.org"],
      ["earliestDatestamp", expect.stringMatching(/Z$/)],
      ["deletedRecord", "persistent"],
      ["granularity", "YYYY-MM-DDThh:mm:ssZ"],
      ["compression", "gzip"],
      ["description", ""],
    ]);
    const [scheme] = identify ? within(identify, "oai-identifier") : [];
    expect(childOf(scheme, "repositoryIdentifier")?.text).toBe("data.example.org");
  });

  test("ListMetadataFormats and ListSets name formats and sets; each set has a name", async () => {
    const formats = within(await ask({ verb: "ListMetadataFormats", identifier: prefix + live }), "metadataFormat");
    expect(formats.map((format) => childOf(format, "metadataPrefix")?.text)).toEqual([
      "oai_dc",
      "datacite",
      "datacite4",
      "oai_datacite",
      "marcxml",
      "dcat",
    ]);
    for (const format of formats)
      expect(format.children.map(({ name }) => name)).toEqual(["metadataPrefix", "schema", "metadataNamespace"]);
    const sets = within(await ask({ verb: "ListSets" }), "set");
    expect(sets.map((set) => set.children.map(({ text }) => text))).toEqual([
      ["latest", "Latest versions"],
      ["access:open", "Open access"],
      ["type:image", "Image"],
      ["type:image-photo", "Photo"],
    ]);
  });

  test("GetRecord gives every format with the namespace that it announces; a deleted record has a header only", async () => {
    const formats = within(await ask({ verb: "ListMetadataFormats" }), "metadataFormat");
    for (const format of formats) {
      const [name = "", , namespace] = format.children.map(({ text }) => text);
      const root = await ask({ verb: "GetRecord", identifier: prefix + live, metadataPrefix: name });
      const record = childOf(childOf(root, "GetRecord"), "record");
      expect(record?.children.map((child) => child.name)).toEqual(["header", "metadata"]);
      const [content] = childOf(record, "metadata")?.children ?? [];
      expect(Object.values(content?.attributes ?? {}), name).toContain(namespace);
      expect(content ? within(content, "payload").length : 0, name).toBe(name === "oai_datacite" ? 1 : 0);
    }
    const root = await ask({ verb: "GetRecord", identifier: prefix + deleted, metadataPrefix: "oai_dc" });
    const [record] = within(root, "record");
    expect(record?.children.map(({ name }) => name)).toEqual(["header"]);
    const header = childOf(record, "header");
    expect(header?.attributes).toEqual({ status: "deleted" });
    expect(header?.children.map(({ name, text }) => [name, text])).toEqual([
      ["identifier", prefix + deleted],
      ["datestamp", expect.stringMatching(/Z$/)],
      ["setSpec", "latest"],
      ["setSpec", "type:image"],
      ["setSpec", "type:image-photo"],
    ]);
  });

  test("ListRecords and ListIdentifiers give items in the order of their changes, by set and by time, by GET and POST", async () => {
    const all = await ask({ verb: "ListIdentifiers", metadataPrefix: "oai_dc" });
    expect(listed(all)).toEqual([live, deleted]);
    expect(childrenOf(childOf(all, "ListIdentifiers"), "header")).toHaveLength(2);
    expect(within(all, "resumptionToken")).toEqual([]);
    const form = { headers: { "content-type": "application/x-www-form-urlencoded" } };
    const body = query({ verb: "ListRecords", metadataPrefix: "oai_dc", set: "type:image" });
    const posted = await api.anonymous.call("POST", "/oai2d", body, form);
    expect(listed(parseXml(posted.text))).toEqual([live, deleted]);
    const stamp = childOf(within(all, "header")[0], "datestamp")?.text ?? "";
    const between = { verb: "ListRecords", metadataPrefix: "oai_dc", from: stamp.slice(0, 10) };
    expect(listed(await ask({ ...between, until: stamp.slice(0, 10) })).sort()).toEqual([live, deleted].sort());
    expect(listed(await ask({ ...between, from: stamp, until: stamp, set: "latest" }))).toContain(live);
  });

  test("each version is an item; the set of latest versions has one of them", async () => {
    const first = await givenRecord(alice);
    const { body: next } = await alice.post(`/api/records/${first}/versions`);
    await alice.put(`/api/records/${next.id}/draft`, { metadata, files: { enabled: false } });
    await publish(alice, next.id);
    expect(listed(await ask({ verb: "ListIdentifiers", metadataPrefix: "oai_dc" }))).toEqual(
      expect.arrayContaining([first, next.id]),
    );
    const latest = listed(await ask({ verb: "ListIdentifiers", metadataPrefix: "oai_dc", set: "latest" }));
    expect([latest.includes(first), latest.includes(next.id)]).toEqual([false, true]);
  });

  test("an edit moves the datestamp, saving a draft does not", async () => {
    const id = await givenRecord(alice);
    const stored = () =>
      api.server.host.db.selectFrom("harvest_item").selectAll().where("record_id", "=", id).executeTakeFirstOrThrow();
    const before = await stored();
    await alice.post(`/api/records/${id}/draft`);
    await alice.put(`/api/records/${id}/draft`, { metadata: { ...metadata, title: "New" }, files: { enabled: false } });
    expect(await stored()).toEqual(before);
    await publish(alice, id);
    expect((await stored()).changed).toBeGreaterThan(before.changed);
  });

  test("XML is well-formed for any metadata", async () => {
    const title = `a\u0000\u0008\u000b\u001f\ufffe\uffff\ud800 ]]> <&"'> \u{1f30a}`;
    const body = { metadata: { ...metadata, title, description: `<p>${title}</p>` }, files: { enabled: false } };
    const id = await givenRecord(alice, body);
    for (const metadataPrefix of ["oai_dc", "datacite", "oai_datacite", "marcxml", "dcat"]) {
      const root = await ask({ verb: "GetRecord", identifier: prefix + id, metadataPrefix });
      expect(within(root, "error"), metadataPrefix).toEqual([]);
    }
  });
});

describe("the errors of OAI-PMH 2.0 (web 8, issue 18)", () => {
  const get = { verb: "GetRecord", metadataPrefix: "oai_dc" };
  const list = { verb: "ListRecords", metadataPrefix: "oai_dc" };
  const rows: [name: string, parameters: () => Record<string, string> | string, code: string][] = [
    ["no verb", () => ({}), "badVerb"],
    ["an unknown verb", () => ({ verb: "listRecords" }), "badVerb"],
    ["a repeated verb", () => "verb=Identify&verb=Identify", "badVerb"],
    ["an unknown argument", () => ({ verb: "Identify", colour: "red" }), "badArgument"],
    ["a repeated argument", () => "verb=ListRecords&metadataPrefix=oai_dc&metadataPrefix=oai_dc", "badArgument"],
    ["a missing argument", () => ({ verb: "ListRecords" }), "badArgument"],
    ["GetRecord without an identifier", () => get, "badArgument"],
    ["from later than until", () => ({ ...list, from: "2026-01-02", until: "2026-01-01" }), "badArgument"],
    ["mixed granularity", () => ({ ...list, from: "2020-01-01", until: "2026-01-01T00:00:00Z" }), "badArgument"],
    ["a day that does not exist", () => ({ ...list, from: "2026-02-30" }), "badArgument"],
    ["a time without a zone", () => ({ ...list, from: "2026-02-03T10:00:00" }), "badArgument"],
    ["a malformed set", () => ({ ...list, set: "a b" }), "badArgument"],
    ["a token with other arguments", () => ({ ...list, resumptionToken: "x" }), "badArgument"],
    ["a foreign token", () => ({ verb: "ListRecords", resumptionToken: "e30.AAAA" }), "badResumptionToken"],
    ["an empty token", () => ({ verb: "ListIdentifiers", resumptionToken: "" }), "badResumptionToken"],
    ["a token for ListSets", () => ({ verb: "ListSets", resumptionToken: "x" }), "badResumptionToken"],
    ["an unknown format", () => ({ ...list, metadataPrefix: "mods" }), "cannotDisseminateFormat"],
    ["an unknown identifier", () => ({ ...get, identifier: `${prefix}aaaaa-aaa11` }), "idDoesNotExist"],
    ["a malformed identifier", () => ({ ...get, identifier: "10.5/x" }), "idDoesNotExist"],
    [
      "an unknown format of a record",
      () => ({ ...get, identifier: prefix + live, metadataPrefix: "x" }),
      "cannotDisseminateFormat",
    ],
    ["formats of an unknown item", () => ({ verb: "ListMetadataFormats", identifier: "x" }), "idDoesNotExist"],
    [
      "formats of a deleted item",
      () => ({ verb: "ListMetadataFormats", identifier: prefix + deleted }),
      "noMetadataFormats",
    ],
    ["nothing in the range", () => ({ ...list, until: "2001-01-01" }), "noRecordsMatch"],
    ["nothing in the set", () => ({ ...list, set: "type:no-such-type" }), "noRecordsMatch"],
  ];
  test.each(rows)("%s", async (_name, parameters, code) => {
    const root = await ask(parameters());
    expect(root.children.map(({ name }) => name)).toEqual(["responseDate", "request", "error"]);
    expect(childOf(root, "error")?.attributes).toEqual({ code });
    const attributes = Object.keys(childOf(root, "request")?.attributes ?? {});
    if (code === "badVerb" || code === "badArgument") expect(attributes).toEqual([]);
    else expect(attributes).toContain("verb");
  });

  test("OAI-PMH is off without an administrator's address", async () => {
    const other = await startApi("server");
    const { status, body } = await other.anonymous.get("/oai2d?verb=Identify");
    expect([status, body.message]).toEqual([404, "OAI-PMH is off: the setting 'site.contact' is missing."]);
  });
});

test("what was never public is no item: drafts, restricted records, embargoed metadata (web 8, issue 18)", async () => {
  const access = { record: "restricted", files: "restricted" };
  const draft = await givenDraft(alice);
  const restricted = await givenRecord(alice, { metadata, access, files: { enabled: false } });
  const embargo = { active: true, until: "2199-01-01", reason: null };
  const embargoed = await givenRecord(alice, { metadata, access: { ...access, embargo }, files: { enabled: false } });
  for (const id of [draft, restricted, embargoed]) {
    const root = await ask({ verb: "GetRecord", identifier: prefix + id, metadataPrefix: "oai_dc" });
    expect(childOf(root, "error")?.attributes.code).toBe("idDoesNotExist");
  }
});
