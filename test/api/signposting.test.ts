import { beforeAll, describe, expect, test } from "vitest";
import { exportFormats } from "../../shared/representations/export-formats.ts";
import { type Api, startApi } from "../support/api.ts";
import { addFile } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { givenDraft, metadata, publish } from "../support/records.ts";

let api: Api;
let alice: HttpClient;
beforeAll(async () => {
  api = await startApi("server");
  alice = await api.as("alice");
}, 60_000);

interface Target {
  href: string;
  type?: string;
}
interface Context extends Partial<Record<string, Target[] | string>> {
  anchor: string;
  describedby?: Target[];
  item?: Target[];
}

const accepting = (accept: string) => ({ headers: { accept } });

async function linksetOf(id: string): Promise<Context[]> {
  const { text } = await api.anonymous.get(`/api/records/${id}`, accepting("application/linkset+json"));
  return JSON.parse(text).linkset;
}

const relationsIn = (header: string | null) =>
  [...(header ?? "").matchAll(/<([^>]*)>; rel="([\w-]+)"/g)].map(([, href, relation]) => [relation, href]);

async function givenRecord(others: object = {}, files: Record<string, string> = { "a.csv": "x,y", "b.zip": "PK" }) {
  const id = await givenDraft(alice, { metadata, ...others });
  for (const [key, text] of Object.entries(files)) await addFile(alice, id, key, text);
  await publish(alice, id);
  return id;
}

describe("signposting of a record (web 7, 13, 17; issue 18)", () => {
  test("each link resolves to the type that it names, and leads back", async () => {
    const id = await givenRecord();
    const [page, ...others] = await linksetOf(id);
    const anchors = new Map(others.map((context) => [context.anchor, context]));
    const { describedby = [], item = [] }: Partial<Context> = page ?? {};
    expect(item.map(({ type }) => type)).toEqual(["text/plain", "application/octet-stream"]);
    const formats = describedby.flatMap(({ href }) => /\/export\/(.+)$/.exec(href)?.[1] ?? []);
    // The link set names all others.
    expect(formats.sort()).toEqual(
      Object.keys(exportFormats)
        .filter((name) => name !== "linkset")
        .sort(),
    );
    for (const { href, type = "" } of describedby) {
      const isExport = href.includes("/export/");
      const { status, headers } = await api.anonymous.get(href, isExport ? {} : accepting(type));
      const sent = headers.get("content-type")?.split(";")[0];
      // A bibliography has no type of its own.
      expect([href, status, sent]).toEqual([href, 200, type === "text/x-bibliography" ? "text/plain" : type]);
      expect(relationsIn(headers.get("link"))).toContainEqual(["describes", page?.anchor]);
      expect(anchors.get(href)?.describes).toEqual([{ href: page?.anchor, type: "text/html" }]);
    }
    for (const { href, type = "" } of item) {
      const { status, headers } = await api.anonymous.get(href);
      expect([status, headers.get("content-type")?.split(";")[0]]).toEqual([200, type]);
      expect(relationsIn(headers.get("link"))).toContainEqual(["collection", page?.anchor]);
      expect(anchors.get(href)?.collection).toEqual([{ href: page?.anchor, type: "text/html" }]);
      expect(anchors.get(href)?.type).toHaveLength(1);
    }
  });

  test("JSON of a record names its link set, also when it comes from the cache of answers", async () => {
    const id = await givenRecord();
    for (let call = 0; call < 3; call++) {
      const { headers } = await api.anonymous.get(`/api/records/${id}`, accepting("application/json"));
      expect(relationsIn(headers.get("link"))).toEqual([
        ["linkset", `${api.server.url}/api/records/${id}`],
        ["describes", `${api.server.url}/records/${id}`],
      ]);
    }
  });

  test("files that a stranger may not open are no items", async () => {
    const id = await givenRecord({ access: { record: "public", files: "restricted" } });
    expect((await linksetOf(id))[0]?.item).toBeUndefined();
    const { headers } = await api.anonymous.get(`/records/${id}`, accepting("text/html"));
    expect(relationsIn(headers.get("link")).map(([relation]) => relation)).not.toContain("item");
  });

  test("older versions link the latest and the one before (RFC 5829; web 3)", async () => {
    const versions = [await givenRecord()];
    for (const _next of [2, 3]) {
      const { body } = await alice.post(`/api/records/${versions.at(-1)}/versions`);
      await alice.put(`/api/records/${body.id}/draft`, { metadata, files: { enabled: false } });
      await publish(alice, body.id);
      versions.push(body.id);
    }
    const addresses = versions.map((id) => `${api.server.url}/records/${id}`);
    for (const [at, id] of versions.entries()) {
      const { headers, text } = await api.anonymous.get(`/records/${id}`, accepting("text/html"));
      const expected = [
        ...(at < 2 ? [["latest-version", addresses[2]]] : []),
        ...(at > 0 ? [["predecessor-version", addresses[at - 1]]] : []),
      ];
      expect(relationsIn(headers.get("link")).filter(([relation]) => relation?.endsWith("-version"))).toEqual(expected);
      for (const [relation, address = ""] of expected)
        expect(text).toContain(`<link rel="${relation}" href="${new URL(address).href}">`);
    }
    expect((await linksetOf(versions[0] ?? ""))[0]?.["latest-version"]).toEqual([
      { href: `${addresses[0]}/latest`, type: "text/html" },
    ]);
    expect((await linksetOf(versions[2] ?? ""))[0]?.["latest-version"]).toBeUndefined();
  });

  test('an address with `<`, `>` or `"` is encoded: a DOI may have them, and a licence adds no links of its own (issue 18)', async () => {
    const doi = "10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-O#x?y";
    const rights = [{ title: { en: "Own" }, link: 'https://example.org/?a>;rel="cite-as",<https://evil.example/' }];
    const pids = { doi: { identifier: doi, provider: "external" } };
    const others = { pids, metadata: { ...metadata, rights }, files: { enabled: false } };
    const id = await givenRecord(others, {});
    const { headers, text } = await api.anonymous.get(`/records/${id}`, accepting("text/html"));
    const encoded = "https://doi.org/10.1002/(SICI)1097-4571(199806)49:8%3C693::AID-ASI4%3E3.0.CO;2-O%23x%3Fy";
    const relations = relationsIn(headers.get("link"));
    expect(relations.filter(([relation]) => relation === "cite-as")).toEqual([["cite-as", encoded]]);
    const licence = "https://example.org/?a%3E;rel=%22cite-as%22,%3Chttps://evil.example/";
    expect(relations).toContainEqual(["license", licence]);
    expect(text).toContain(`href="${encoded}"`);
    const { body } = await api.anonymous.get(`/api/records/${id}`);
    expect(body.links).toMatchObject({ doi: encoded, self_doi: encoded });
    expect((await linksetOf(id))[0]?.["cite-as"]).toEqual([{ href: encoded }]);
  });

  test("an address with a character beyond ASCII is encoded, and a summary halves none, and no word", async () => {
    const rights = [{ title: { en: "Mine" }, link: "https://example.org/\u{1f600}" }];
    const description = `<p>${"a".repeat(158)}\u{1f600} and more</p>`;
    const id = await givenRecord({ metadata: { ...metadata, rights, description } });
    const { status, headers, text } = await api.anonymous.get(`/records/${id}`, accepting("text/html"));
    expect(status).toBe(200);
    expect(headers.get("link")).toContain('<https://example.org/%F0%9F%98%80>; rel="license"');
    expect(text).toContain(`<meta name="description" content="${"a".repeat(158)}…">`);
    const words = "Grain sizes of twelve gravity cores. ".repeat(9);
    const other = await givenRecord({ metadata: { ...metadata, description: `<p>${words}</p>` } });
    const { text: page } = await api.anonymous.get(`/records/${other}`, accepting("text/html"));
    for (const name of ['name="description"', 'property="og:description"'])
      expect(page).toMatch(
        new RegExp(`<meta ${name} content="Grain [^"]{100,150} (Grain|sizes|of|twelve|gravity|cores.)…">`),
      );
  });
});
