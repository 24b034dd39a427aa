import { beforeAll, describe, expect, test } from "vitest";
import { type Api, startApi } from "../support/api.ts";
import type { HttpClient } from "../support/http-client.ts";
import { givenDraft, metadata, publish, withoutFiles } from "../support/records.ts";

const body = { ...withoutFiles, metadata: { ...metadata, publisher: "Press" } };
const asBrowser = { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } };
// Nothing listens there: pages do not wait for the agency.
const datacite = { url: "http://127.0.0.1:9", repository_id: "CARREL.TEST", password: "secret" };

let api: Api;
let alice: HttpClient;
beforeAll(async () => {
  api = await startApi("server", { settings: { datacite } });
  alice = await api.as("alice");
}, 60_000);

async function givenPublished(content: object = body): Promise<string> {
  const id = await givenDraft(alice, content);
  await publish(alice, id);
  return id;
}
const leadsTo = async (path: string, caller = api.anonymous) => {
  const { status, headers } = await caller.get(path, asBrowser);
  return [status, headers.get("location")?.replace(api.server.url, "")];
};

describe("/doi/{doi} (web 3)", () => {
  test("leads to the record, for own DOIs and those from elsewhere, in any case of letters", async () => {
    const id = await givenPublished();
    expect(await leadsTo(`/doi/10.5072/${id}`)).toEqual([302, `/records/${id}`]);
    const pids = { doi: { identifier: "10.1234/Some.Thing(1)/x", provider: "external" } };
    const other = await givenPublished({ ...body, pids });
    expect(await leadsTo("/doi/10.1234/some.thing(1)/X")).toEqual([302, `/records/${other}`]);
    expect(await leadsTo("/doi/10.1234%2Fsome.thing(1)%2Fx")).toEqual([302, `/records/${other}`]);
    expect((await leadsTo("/doi/10.1234/nobody"))[0]).toBe(404);
    const accept = { headers: { accept: "application/x-bibtex" } };
    const answer = await fetch(`${api.server.url}/doi/10.5072/${id}`, accept);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/x-bibtex"]);
    expect(await answer.text()).toContain(id);
  });

  test("tells nobody that a restricted record has a DOI from elsewhere", async () => {
    const pids = { doi: { identifier: "10.1234/secret", provider: "external" } };
    const id = await givenPublished({ ...body, pids, access: { record: "restricted", files: "restricted" } });
    expect((await leadsTo("/doi/10.1234/secret"))[0]).toBe(404);
    expect(await leadsTo("/doi/10.1234/secret", alice)).toEqual([302, `/records/${id}`]);
    expect((await leadsTo(`/doi/10.5072/${await givenDraft(alice, body)}`))[0]).toBe(404);
  });
});

test("the DOI of all versions: on the page, among the versions, in exports, and at /doi (interoperability 13)", async () => {
  const first = await givenPublished();
  const id: string = (await alice.post(`/api/records/${first}/versions`)).body.id;
  await alice.put(`/api/records/${id}/draft`, body);
  await publish(alice, id);
  const { parent } = (await alice.get(`/api/records/${id}`)).body;
  const doi = `10.5072/${parent.id}`;
  expect(parent.pids.doi.identifier).toBe(doi);
  expect(await leadsTo(`/doi/${doi}`)).toEqual([302, `/records/${parent.id}`]);
  expect(await leadsTo(`/records/${parent.id}`)).toEqual([302, `/records/${id}`]);
  expect(await leadsTo(`/records/${first}/latest`)).toEqual([302, `/records/${id}`]);
  for (const path of [`/records/${id}`, `/records/${first}`, `/records/${id}/versions`]) {
    const { text } = await api.anonymous.get(path, asBrowser);
    expect(text, path).toContain(`Cite all versions: <a href="https://doi.org/${doi}">${doi}</a>`);
  }
  const german = await api.anonymous.get(`/records/${id}?lang=de`, asBrowser);
  expect(german.text).toContain("Alle Versionen zitieren");
  const wanted: Record<string, string> = {
    "datacite-json": `"relatedIdentifier":"${doi}","relatedIdentifierType":"DOI","relationType":"IsVersionOf"`,
    "datacite-xml": `relationType="IsVersionOf"`,
    dublincore: `<dc:relation>https://doi.org/${doi}</dc:relation>`,
    marcxml: doi,
    "dcat-ap": `<dct:isVersionOf rdf:resource="https://doi.org/${doi}"`,
    "json-ld": `"exampleOfWork":{"@type":"CreativeWork","@id":"https://doi.org/${doi}"}`,
  };
  for (const [format, text] of Object.entries(wanted)) {
    const answer = await fetch(`${api.server.url}/records/${id}/export/${format}`);
    expect((await answer.text()).replaceAll(/,\s*\n?\s*(?=")/g, ",").replaceAll(/": /g, '":'), format).toContain(text);
  }
});
