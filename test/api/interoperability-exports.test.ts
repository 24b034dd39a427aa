import { buffer } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { listAll } from "../../shared/containers/container-listing.ts";
import { openMember } from "../../shared/containers/zip-member.ts";
import { readZipTree } from "../../shared/containers/zip-reader.ts";
import { roles, startApi } from "../support/api.ts";
import { bufferSource } from "../support/file-source.ts";
import { givenDraft as givenFileDraft, givenRecord } from "../support/files.ts";

const accepting = (accept: string) => ({ headers: { accept } });
const profile = "https://w3id.org/ro/crate";
const crateType = `application/ld+json;profile="${profile}"`;
const zipType = `application/zip;profile="${profile}"`;

async function unzip(zip: Buffer): Promise<Record<string, string>> {
  const source = bufferSource(zip);
  const tree = await readZipTree(source, { maxMembers: 1000 });
  const content: Record<string, string> = {};
  for (const file of listAll(tree, 0, 1000).files)
    content[tree.keyOf(file)] = String(await buffer(await openMember(source, tree.member(file))));
  return content;
}

const files = { "in/a 1.csv": "a,b\n1,2\n", "ro-crate-metadata.json": "{}" };

describe.each(roles)("exports on the %s (interoperability 24, 40, issue 18)", (role) => {
  test("by Accept and in the link set", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const id = await givenRecord(alice, files);
    const types = {
      "application/x-research-info-systems": /^TY {2}- DATA\r\n/,
      "application/x-yaml": /^cff-version: "1\.2\.0"\n/,
      "application/vnd.codemeta.ld+json": /"@context":"https:\/\/w3id\.org\/codemeta\/3\.0"/,
      "application/vnd.datapackage+json": /"name":"in-a-1\.csv"/,
      [crateType]: /"@id":"ro-crate-metadata\.json"/,
    };
    for (const [type, start] of Object.entries(types)) {
      const { status, headers, text } = await alice.get(`/api/records/${id}`, accepting(type));
      expect([type, status]).toEqual([type, 200]);
      expect(headers.get("content-type")?.split(";")[0]).toBe(type.split(";")[0]);
      expect(text).toMatch(start);
    }
    const { text } = await alice.get(`/api/records/${id}`, accepting("application/linkset+json"));
    const described = JSON.parse(text).linkset[0].describedby as { type: string; profile?: string }[];
    const named = described.map((one) => one.type + (one.profile === profile ? ";crate" : ""));
    for (const type of [...Object.keys(types).slice(0, -1), "application/ld+json;crate", "application/zip;crate"])
      expect(named).toContain(type);
  });

  test("an RO-Crate with the files, streamed as ZIP", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const id = await givenRecord(alice, files);
    for (const accept of [zipType, "application/zip"]) {
      const { status, headers, bytes } = await alice.get(`/api/records/${id}`, accepting(accept));
      expect([status, headers.get("content-type")]).toEqual([200, "application/zip"]);
      expect(headers.get("content-length")).toBeNull();
      const { "ro-crate-metadata.json": metadata = "", ...others } = await unzip(bytes);
      expect(others).toEqual({ "data/in/a 1.csv": "a,b\n1,2\n", "data/ro-crate-metadata.json": "{}" });
      const named = JSON.parse(metadata)["@graph"].map((entity: { "@id": string }) => entity["@id"]);
      expect(named).toContain("data/in/a%201.csv");
    }
    const draft = await givenFileDraft(alice);
    expect((await alice.get(`/api/records/${draft}/draft`, accepting(zipType))).status).toBe(406);
  });
});

test("exports name their link set by an absolute address (interoperability 35, issue 18)", async () => {
  const api = await startApi("server");
  const alice = await api.as("alice");
  const id = await givenRecord(alice, files);
  const { links } = (await alice.get(`/api/records/${id}`)).body;
  const expected = `<${links.self}>; rel="linkset"; type="application/linkset+json", <${links.self_html}>; rel="describes"; type="text/html"`;
  for (const path of [`/api/records/${id}`, `/records/${id}/export/bibtex`]) {
    const { headers } = await api.anonymous.get(path, accepting("application/x-bibtex"));
    expect(headers.get("link")).toBe(expected);
  }
  const page = await api.anonymous.get(`/records/${id}`, accepting("text/html"));
  const targets = [...(page.headers.get("link") ?? "").matchAll(/<([^>]*)>; rel="(\w+)/g)];
  expect(targets.find(([, , relation]) => relation === "linkset")?.[1]).toBe(links.self);
  for (const [, target = ""] of targets) expect(target).toMatch(/^https?:\/\//);
  const set = await api.anonymous.get(links.self, accepting("application/linkset+json"));
  expect(JSON.parse(set.text).linkset[0].anchor).toBe(links.self_html);
});

test("restricted files are in the crate of those alone who may read them (interoperability 24, issue 18)", async () => {
  const api = await startApi("server");
  const alice = await api.as("alice");
  const id = await givenRecord(alice, { "secret.csv": "x" }, { access: { record: "public", files: "restricted" } });
  const stranger = await api.anonymous.get(`/api/records/${id}`, accepting(zipType));
  expect(stranger.status).toBe(200);
  const content = await unzip(stranger.bytes);
  expect(Object.keys(content)).toEqual(["ro-crate-metadata.json"]);
  for (const type of [zipType, crateType, "application/vnd.datapackage+json", "application/linkset+json"])
    expect((await api.anonymous.get(`/api/records/${id}`, accepting(type))).bytes.includes("secret.csv")).toBe(false);
  expect(Object.keys(await unzip((await alice.get(`/api/records/${id}`, accepting(zipType))).bytes))).toHaveLength(2);
  const closed = await givenRecord(alice, { "a.csv": "x" }, { access: { record: "restricted", files: "restricted" } });
  expect((await api.anonymous.get(`/api/records/${closed}`, accepting(zipType))).status).toBe(403);
});

test("pages offer each export by its name (interoperability 40, issue 18)", async () => {
  const api = await startApi("server");
  const alice = await api.as("alice");
  const id = await givenRecord(alice, files);
  const page = (await api.anonymous.get(`/records/${id}`, accepting("text/html"))).text;
  for (const name of ["ris", "cff", "codemeta", "data-package", "ro-crate", "ro-crate-zip"]) {
    expect(page).toContain(`/records/${id}/export/${name}"`);
    const { status, bytes } = await api.anonymous.get(`/records/${id}/export/${name}`);
    expect([name, status]).toEqual([name, 200]);
    if (name === "ro-crate-zip") expect(Object.keys(await unzip(bytes))).toHaveLength(3);
  }
  const byAccept = await api.anonymous.get(`/records/${id}`, accepting(zipType));
  expect(Object.keys(await unzip(byAccept.bytes))).toHaveLength(3);
  // Clients of InvenioRDM, such as zen4R, ask by its name.
  const [own, theirs] = await Promise.all(
    ["data-package", "datapackage"].map((name) => api.anonymous.get(`/records/${id}/export/${name}`)),
  );
  expect(theirs?.status).toBe(200);
  expect(theirs?.text).toBe(own?.text);
});
