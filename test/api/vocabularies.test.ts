import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readSettings } from "../../server/config.ts";
import { openServer, type RunningServer } from "../../server/open-server.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import type { VocabularyType } from "../../shared/vocabularies/vocabulary.schema.ts";
import { importVocabulary } from "../../shared/vocabularies/vocabulary-import.service.ts";

const folder = mkdtempSync(join(tmpdir(), "carrel-vocabularies-"));
let server: RunningServer;

beforeAll(async () => {
  const log = pino({ level: "silent" });
  const settings = readSettings(undefined);
  const environment = machineEnvironment();
  server = await openServer({
    dataDir: join(folder, "data"),
    hostName: "127.0.0.1",
    port: 0,
    settings,
    environment,
    log,
  });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of its answer
  body: any;
}
async function call(path: string, init?: RequestInit): Promise<Answer> {
  const response = await fetch(`${server.url}${path}`, init);
  return { status: response.status, body: await response.json() };
}
const idsOf = ({ body }: Answer): string[] => body.hits.hits.map(({ id }: { id: string }) => id);

async function importRows(type: VocabularyType, name: string, text: string) {
  const file = join(folder, name);
  writeFileSync(file, text);
  const refused: [number, string][] = [];
  const { db, now } = server.host;
  const counts = await importVocabulary({
    db,
    type,
    file,
    now,
    onRefused: (line, reason) => refused.push([line, reason]),
  });
  return { counts, refused };
}

describe("shipped entries (records 8.5)", () => {
  test("an entry", async () => {
    const { status, body } = await call("/api/vocabularies/resourcetypes/image-photo");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: "image-photo",
      type: "resourcetypes",
      title: { en: "Photo" },
      props: { type: "image", subtype: "image-photo" },
      tags: expect.any(Array),
      created: expect.stringMatching(/\+00:00$/),
      updated: expect.stringMatching(/\+00:00$/),
      revision_id: 1,
      links: { self: `${server.url}/api/vocabularies/resourcetypes/image-photo` },
    });
    expect((await fetch(body.links.self)).status).toBe(200);
  });

  test("unknown type and entry: 404; no write routes: 405", async () => {
    expect((await call("/api/vocabularies/nothing")).status).toBe(404);
    expect((await call("/api/vocabularies/affiliations")).status).toBe(404);
    expect(await call("/api/vocabularies/languages/nothing")).toEqual({
      status: 404,
      body: { status: 404, message: "Not found." },
    });
    expect((await call("/api/vocabularies/languages", { method: "POST" })).status).toBe(405);
    expect((await call("/api/affiliations/01ggx4157", { method: "DELETE" })).status).toBe(405);
  });

  test.each([
    ["affiliations", "name"],
    ["names", "name"],
    ["subjects", "subject"],
    ["funders", "name"],
    ["awards", "title"],
  ])("/api/%s answers an envelope", async (type, sort) => {
    const { status, body } = await call(`/api/${type}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ hits: { hits: expect.any(Array), total: expect.any(Number) }, sortBy: sort });
    expect(body.links.self).toContain(`${server.url}/api/${type}?page=1&size=10&sort=${sort}`);
  });

  test("a list of thousands is one JSON document like any other (search 2)", async () => {
    const all = await call("/api/vocabularies/languages?size=10000");
    expect(Object.keys(all.body)).toEqual(["hits", "sortBy", "page", "links"]);
    expect(all.body.hits.hits).toHaveLength(all.body.hits.total);
    const few = await call("/api/vocabularies/languages?size=150&page=3");
    expect(all.body.hits.hits.slice(300, 450)).toEqual(few.body.hits.hits);
  });

  test("paging visits every entry once", async () => {
    const seen: string[] = [];
    let next: string | undefined = "/api/vocabularies/resourcetypes?size=7";
    while (next) {
      const answer: Answer = await call(next);
      seen.push(...idsOf(answer));
      next = answer.body.links.next?.slice(server.url.length);
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBe((await call("/api/vocabularies/resourcetypes")).body.hits.total);
  });

  test("affiliation 01ggx4157", async () => {
    const { body } = await call("/api/affiliations/01ggx4157");
    expect(body).toMatchObject({
      id: "01ggx4157",
      name: "European Organization for Nuclear Research",
      acronym: "CERN",
    });
    expect(body.identifiers).toEqual([{ scheme: "ror", identifier: "01ggx4157" }]);
  });
});

describe("suggest and q (search 9, records 8.5)", () => {
  test.each([
    ["/api/vocabularies/languages?suggest=eng", "eng"],
    ["/api/vocabularies/languages?suggest=deuts", "deu"],
    ["/api/vocabularies/licenses?suggest=cc-by-4.0", "cc-by-4.0"],
    ["/api/vocabularies/licenses?suggest=mit", "mit"],
    ["/api/vocabularies/languages?suggest=DEU", "deu"],
    ["/api/vocabularies/licenses?suggest=creative+attrib+4.0+intern", "cc-by-4.0"],
    ["/api/vocabularies/resourcetypes?suggest=PHO", "image-photo"],
    ["/api/affiliations?suggest=cern", "01ggx4157"],
    ["/api/affiliations?suggest=nuclear+eur", "01ggx4157"],
    ["/api/funders?suggest=deutsche", "018mejw64"],
    ["/api/subjects?suggest=mathem", "ford-1.1"],
    ["/api/vocabularies/languages?q=id:dan", "dan"],
    ["/api/vocabularies/languages?q=danish", "dan"],
    ["/api/vocabularies/resourcetypes?q=props.subtype:image-photo", "image-photo"],
    ["/api/vocabularies/resourcetypes?q=%2Btitle.en:photo", "image-photo"],
  ])("%s finds %s first", async (path, id) => {
    const answer = await call(path);
    expect(answer.status).toBe(200);
    expect(answer.body.sortBy).toBe("bestmatch");
    expect(idsOf(answer)[0]).toBe(id);
  });

  test("all words must match; nothing found is an empty list", async () => {
    expect((await call("/api/affiliations?suggest=nuclear+zebra")).body.hits).toEqual({ hits: [], total: 0 });
    expect((await call("/api/affiliations?q=zebra")).body.hits).toEqual({ hits: [], total: 0 });
  });

  test("tags filter", async () => {
    const { body } = await call("/api/vocabularies/licenses?tags=recommended&size=100");
    expect(body.hits.total).toBeGreaterThan(5);
    expect(body.hits.hits.every(({ tags }: { tags: string[] }) => tags.includes("recommended"))).toBe(true);
  });

  test.each(["page=0", "size=x", "sort=nope", "q=a&suggest=b"])("bad parameter %s: 400", async (query) => {
    expect((await call(`/api/vocabularies/languages?${query}`)).status).toBe(400);
  });
});

describe("vocabularies import (hosts-and-sync 1)", () => {
  const ror2 = {
    id: "https://ror.org/02nv7yv05",
    names: [
      { value: "FAU", types: ["acronym"], lang: null },
      { value: "University of Erlangen", types: ["ror_display", "label"], lang: "en" },
      { value: "Universität Erlangen", types: ["label"], lang: "de" },
    ],
    locations: [{ geonames_details: { country_code: "DE" } }],
    external_ids: [{ type: "grid", preferred: "grid.5330.5", all: ["grid.5330.5"] }],
  };
  const ror1 = {
    id: "https://ror.org/04wxnsj81",
    name: "DataCite",
    acronyms: [],
    labels: [],
    country: { country_code: "DE" },
  };

  test("a ROR dump: bad rows are reported with their line and stop nothing", async () => {
    const text = `[\n${JSON.stringify(ror2)},\n{"name": "no id"},\n${JSON.stringify(ror1, null, 1)},\n{oops}\n]`;
    const { counts, refused } = await importRows("affiliations", "ror.json", text);
    expect(counts).toEqual({ added: 2, updated: 0, refused: 2 });
    expect(refused.map(([line]) => line)).toEqual([3, 4 + JSON.stringify(ror1, null, 1).split("\n").length]);
    const { body } = await call("/api/affiliations/02nv7yv05");
    expect(body).toMatchObject({
      name: "University of Erlangen",
      acronym: "FAU",
      title: { de: "Universität Erlangen" },
    });
    expect(idsOf(await call("/api/affiliations?suggest=universitat+erl"))).toEqual(["02nv7yv05"]);
    expect(idsOf(await call("/api/affiliations?q=erlangen+OR+nuclear")).sort()).toEqual(["01ggx4157", "02nv7yv05"]);
    expect(idsOf(await call("/api/affiliations?q=identifiers.identifier:grid.5330.5"))).toEqual(["02nv7yv05"]);
    expect(idsOf(await call("/api/affiliations"))).toEqual(["04wxnsj81", "01ggx4157", "02nv7yv05"]);
  });

  test("importing again updates; an imported entry hides the shipped one", async () => {
    const row = JSON.stringify({ id: "01ggx4157", name: "CERN renamed" });
    expect((await importRows("affiliations", "a.jsonl", row)).counts).toEqual({ added: 1, updated: 0, refused: 0 });
    expect((await importRows("affiliations", "a.jsonl", row)).counts).toEqual({ added: 0, updated: 1, refused: 0 });
    const { body } = await call("/api/affiliations?suggest=01ggx4157");
    expect(body.hits).toMatchObject({ total: 1, hits: [{ name: "CERN renamed", revision_id: 2 }] });
    const lookups = await server.services.vocabularies.lookups(server.host.db, [
      { type: "affiliations", id: "01ggx4157" },
    ]);
    expect(lookups.findEntry("affiliations", "01ggx4157")?.name).toBe("CERN renamed");
    expect(lookups.findEntry("languages", "eng")?.title?.en).toBe("English");
  });

  test("CSV, names, subjects, awards", async () => {
    const csv =
      'id,given_name,family_name,identifiers,affiliations\n1,Ada,"Love, ""lace""",orcid:0000-0002-1825-0097,CERN\n';
    expect((await importRows("names", "n.csv", csv)).counts.added).toBe(1);
    expect((await call("/api/names/1")).body).toMatchObject({
      name: 'Love, "lace", Ada',
      identifiers: [{ scheme: "orcid", identifier: "0000-0002-1825-0097" }],
      affiliations: [{ name: "CERN" }],
    });
    const subject = { id: "https://id.nlm.nih.gov/mesh/D000001", subject: "Calcimycin", scheme: "MeSH" };
    await importRows("subjects", "s.jsonl", JSON.stringify(subject));
    const [hit] = (await call("/api/subjects?suggest=calci")).body.hits.hits;
    expect((await (await fetch(hit.links.self)).json()) as object).toMatchObject(subject);
    const award = { id: "a::1", number: 755021, title: { en: "Personalised" }, funder: { id: "00k4n6c32" } };
    await importRows("awards", "w.json", JSON.stringify([award]));
    expect((await call("/api/awards?q=755021")).body.hits.hits).toMatchObject([{ ...award, number: "755021" }]);
  });

  test("people and awards say the names of affiliations and funders that they refer to (records 8.5)", async () => {
    const person = { id: "hopper", family_name: "Hopper", affiliations: [{ id: "04wxnsj81" }, { name: "Navy" }] };
    const award = { id: "b::2", number: "2", title: { en: "Compilers" }, funder: { id: "00k4n6c32", name: "EU" } };
    await importRows("names", "p.jsonl", JSON.stringify(person));
    await importRows("awards", "b.jsonl", JSON.stringify(award));
    await importRows("affiliations", "d.jsonl", JSON.stringify({ id: "04wxnsj81", name: "DataCite e.V." }));
    const affiliations = [{ id: "04wxnsj81", name: "DataCite e.V." }, { name: "Navy" }];
    const funder = { id: "00k4n6c32", name: "European Commission" };
    expect((await call("/api/names/hopper")).body.affiliations).toEqual(affiliations);
    expect((await call("/api/names?suggest=hopp")).body.hits.hits).toMatchObject([{ affiliations }]);
    expect((await call("/api/awards/b::2")).body.funder).toEqual(funder);
    expect((await call("/api/awards?q=compilers")).body.hits.hits).toMatchObject([{ funder }]);
    expect(idsOf(await call("/api/names?q=affiliations.name:datacite"))).toEqual(["hopper"]);
    expect(idsOf(await call("/api/awards?q=compilers+AND+funder.name:commission"))).toEqual(["b::2"]);
    await importRows("affiliations", "d.jsonl", JSON.stringify({ id: "04wxnsj81", name: "DataCite" }));
    expect((await call("/api/names/hopper")).body.affiliations[0]).toEqual({ id: "04wxnsj81", name: "DataCite" });
  });

  test("20,000 rows, one of them broken", async () => {
    const words = ["Alpha", "Beta", "Gamma", "Delta", "Institute", "University", "Centre"];
    const rows = Array.from({ length: 20_000 }, (_, n) => {
      const name = `${words[n % 7]} ${words[(n * 3) % 5]} ${n}`;
      return n === 10_000 ? "{broken" : JSON.stringify({ id: `f${n}`, name, country: "DE" });
    });
    const { counts, refused } = await importRows("funders", "big.jsonl", rows.join("\n"));
    expect(counts).toEqual({ added: 19_999, updated: 0, refused: 1 });
    expect(refused[0]?.[0]).toBe(10_001);
    expect((await call("/api/funders?suggest=uni+424")).body.hits.total).toBeGreaterThan(0);
    expect((await call("/api/funders?size=5&page=1000")).body.hits.hits).toHaveLength(5);
  });

  test("a query of hundreds of patterns lets other calls be answered meanwhile (security 6)", async () => {
    const patterns = Array.from({ length: 360 }, (_one, at) => `/.*${"abcdefgh"[at % 8]}.*${at}/`).join(" ");
    let isAnswered = false;
    const answer = call(`/api/vocabularies/languages?q=${encodeURIComponent(patterns)}`).finally(() => {
      isAnswered = true;
    });
    let turns = 0;
    for (; !isAnswered; turns++) await new Promise((resolve) => setImmediate(resolve));
    expect((await answer).status).toBe(200);
    // Without the slices there are some 20: those of the connection.
    expect(turns).toBeGreaterThan(60);
  });

  test("of thousands of words in a suggestion each one counts once", async () => {
    const words = Array.from({ length: 2000 }, (_one, at) => "eng"[at % 3]).join(" ");
    const { status, body } = await call(`/api/vocabularies/languages?suggest=${encodeURIComponent(words)}`);
    expect(status).toBe(200);
    expect(body.hits.total).toBe((await call("/api/vocabularies/languages?suggest=e+n+g")).body.hits.total);
  });
});
