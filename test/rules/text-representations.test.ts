import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { Request, Response } from "express";
import { XMLParser } from "fast-xml-parser";
import { describe, expect, test } from "vitest";
import { answerText } from "../../shared/kernel/answer.ts";
import type { Pieces } from "../../shared/kernel/hits.ts";
import {
  type BibliographyStyle,
  bibliographyOf,
  bibliographyStyles,
  styleNamed,
} from "../../shared/representations/bibliography.ts";
import { csvList, csvOf, fullTable, simpleTable, type Table } from "../../shared/representations/csv.ts";
import type { PresentedRecord } from "../../shared/representations/presented-record.ts";
import { representationOf } from "../../shared/representations/representations.ts";
import { fullMetadata, presentedRecord } from "../support/presented-records.ts";

const person = (family_name: string, given_name?: string) => ({
  person_or_org: { type: "personal", family_name, ...(given_name ? { given_name } : {}) },
});
const organisation = { person_or_org: { type: "organizational", name: "Research & Sons" } };
const cited = presentedRecord(
  {
    ...fullMetadata,
    title: "Deep sea cores",
    version: "v2",
    publisher: "Press",
    creators: [person("Hopper", "Grace Brewster"), person("Lovelace", "Ada-Marie"), organisation],
  },
  { pids: { doi: { identifier: "10.1234/x", provider: "external" } } },
);
const doi = "https://doi.org/10.1234/x";

const references: Record<BibliographyStyle, string> = {
  apa: `Hopper, G. B., Lovelace, A.-M., & Research & Sons. (2020). Deep sea cores (Version 2) [Photo]. Press. ${doi}`,
  "chicago-author-date": `Hopper, Grace Brewster, Ada-Marie Lovelace, and Research & Sons. 2020. “Deep sea cores.” Version 2. Press. ${doi}`,
  "chicago-fullnote-bibliography": `Hopper, Grace Brewster, Ada-Marie Lovelace, and Research & Sons. “Deep sea cores.” Version 2. Press, June 1, 2020. ${doi}`,
  "council-of-science-editors": `Hopper GB, Lovelace A-M, Research & Sons. Deep sea cores. Version 2. Press; 2020. ${doi}`,
  "harvard-cite-them-right": `Hopper, G. B., Lovelace, A.-M. and Research & Sons (2020) ‘Deep sea cores’. Version 2. Press. Available at: ${doi}`,
  ieee: `G. B. Hopper, A.-M. Lovelace, and Research & Sons, “Deep sea cores,” Version 2, Press, June 1, 2020. ${doi}`,
  "modern-language-association": `Hopper, Grace Brewster, et al. Deep sea cores. Version 2, Press, June 1, 2020, ${doi}.`,
  nature: `Hopper, G. B., Lovelace, A.-M. & Research & Sons. Deep sea cores. Version 2. Press ${doi} (2020).`,
  science: `G. B. Hopper, A.-M. Lovelace, Research & Sons, Deep sea cores, Version 2, Press (2020); ${doi}`,
  vancouver: `Hopper GB, Lovelace A-M, Research & Sons. Deep sea cores [Internet]. Version 2. Press; 2020. Available from: ${doi}`,
};

describe("text/x-bibliography (records 10)", () => {
  test.each(bibliographyStyles)("%s", (style) => {
    expect(bibliographyOf(cited, "en-US", style)).toBe(references[style]);
  });

  test("APA names 20 creators, and of more the first 19 and the last (issue 18)", () => {
    const withPeople = (count: number) => {
      const creators = Array.from({ length: count }, (_, at) => person(`Name${at}`, "X"));
      return bibliographyOf(presentedRecord({ ...fullMetadata, creators }, {}), "en", "apa");
    };
    expect(withPeople(20)).toContain("Name18, X., & Name19, X. (");
    expect(withPeople(60)).toContain("Name18, X., … Name59, X. (");
  });

  test.each(bibliographyStyles)("%s bears a draft with nothing in it, and many creators", (style) => {
    const draft = presentedRecord({}, { pids: {}, is_published: false });
    expect(bibliographyOf(draft, "en", style)).not.toMatch(/undefined|null|NaN| {2}/);
    const creators = Array.from({ length: 30 }, (_, at) => person(`Name${at}`, "X"));
    const many = presentedRecord({ ...fullMetadata, creators }, {});
    expect(
      bibliographyOf(many, "en", style).startsWith(["ieee", "science"].includes(style) ? "X. Name0" : "Name0"),
    ).toBe(true);
  });
});

/** Examples of the styles' own guides, with their data. */
describe("references as the guides write them (interoperability 7)", () => {
  const drought = presentedRecord(
    {
      title: "Global integrated drought monitoring and prediction system (GIDMaPS) data sets",
      publisher: "figshare",
      publication_date: "2014",
      creators: [person("Hao", "Z."), person("AghaKouchak", "A."), person("Nakhjiri", "N."), person("Farahmand", "A.")],
    },
    { pids: { doi: { identifier: "10.6084/m9.figshare.853801", provider: "external" } } },
  );
  test("Nature, data citation", () => {
    expect(bibliographyOf(drought, "en", "nature")).toBe(
      "Hao, Z., AghaKouchak, A., Nakhjiri, N. & Farahmand, A. Global integrated drought monitoring and prediction system (GIDMaPS) data sets. figshare https://doi.org/10.6084/m9.figshare.853801 (2014).",
    );
  });

  test("short names and file names of styles are known; others are not", () => {
    const named = { mla: "modern-language-association", Harvard: "harvard-cite-them-right", "apa.csl": "apa" };
    for (const [name, style] of Object.entries(named)) expect([name, styleNamed(name)]).toEqual([name, style]);
    for (const name of ["", "constructor", "no-such-style"])
      expect([name, styleNamed(name)]).toEqual([name, undefined]);
  });
});

/** Reads RFC 4180 strictly: quotes only around whole cells. */
function readCsv(text: string): Record<string, string>[] {
  const rows = [...text.matchAll(/(?:(?:"(?:[^"]|"")*"|[^",\r\n]*)(?:,|\r\n))+?(?<=\r\n)/g)].map(([line]) =>
    [...line.matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(?:,|\r\n)/g)].map(([, cell = ""]) =>
      cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell,
    ),
  );
  const [names = [], ...lines] = rows;
  return lines.map((line) => Object.fromEntries(names.map((name, at) => [name, line[at] ?? ""])));
}

describe("CSV (records 10)", () => {
  const listed = async (table: Table, records: PresentedRecord[]) =>
    readCsv(await text(Readable.from(csvList(table, records))));

  test("simple: one row a record, quoted where needed", async () => {
    const odd = presentedRecord({ ...fullMetadata, title: 'A "title", with\r\nlines' }, {});
    const [first, second, ...rest] = await listed(simpleTable, [cited, odd]);
    expect(rest).toEqual([]);
    expect(first).toMatchObject({
      doi: "10.1234/x",
      title: "Deep sea cores",
      creators: "Hopper, Grace Brewster; Lovelace, Ada-Marie; Research & Sons",
      resource_type: "Photo",
      publication_date: "2020-06-01",
    });
    expect(second?.title).toBe('A "title", with\r\nlines');
  });

  test("full: a column for every value of any record, one for the names of all files", async () => {
    const files = { enabled: true, entries: { "a.csv": { size: 3 }, "b, c.csv": { size: 4 } } };
    const other = presentedRecord({ ...fullMetadata, sizes: ["1 page"] }, { files });
    const [first, second] = await listed(fullTable, [cited, other]);
    expect(second).toMatchObject({ "files.enabled": "true", "files.entries": "a.csv; b, c.csv" });
    expect(Object.keys(second ?? {}).filter((name) => name.startsWith("files.entries."))).toEqual([]);
    expect(first).toMatchObject({
      "metadata.creators.1.person_or_org.family_name": "Lovelace",
      "metadata.title": "Deep sea cores",
    });
    expect(second).toMatchObject({ "metadata.sizes.0": "1 page", "pids.doi.identifier": expect.any(String) });
  });

  test.each(["=HYPERLINK(1)", "+1+1", "@SUM(A1)", "-cmd", "-1+cmd|' /C calc'!A0", "-0044-03-15", "\uff1d1+1"])(
    "a title %j is no formula (security 10)",
    (title) => {
      const text = csvOf(simpleTable, presentedRecord({ ...fullMetadata, title }, {}));
      expect(readCsv(text)[0]?.title).toBe(`'${title}`);
    },
  );

  test.each(["-125", "-12.5", "-1e-7", "a=1", "1+1"])("a title %j stays as it is (security 10)", (title) => {
    const text = csvOf(simpleTable, presentedRecord({ ...fullMetadata, title }, {}));
    expect(readCsv(text)[0]?.title).toBe(title);
  });

  test("a cell with a separator of other spreadsheets is quoted (security 10)", () => {
    const text = csvOf(simpleTable, presentedRecord({ ...fullMetadata, title: "a;=1+1" }, {}));
    expect(text).toContain('"a;=1+1"');
  });
});

test("DCAT: a dataset in RDF/XML (records 10)", () => {
  const text = representationOf("application/dcat+xml").render(cited, { locale: "en", style: "apa" });
  const parsed = new XMLParser({ ignoreAttributes: false, parseTagValue: false }).parse(text);
  const dataset = parsed["rdf:RDF"]["dcat:Dataset"];
  expect(dataset).toMatchObject({
    "@_rdf:about": doi,
    "dct:identifier": doi,
    "dct:title": "Deep sea cores",
    "dct:issued": { "#text": "2020-06-01", "@_rdf:datatype": "http://www.w3.org/2001/XMLSchema#date" },
    "dct:publisher": { "foaf:Agent": { "foaf:name": "Press" } },
    "dct:license": expect.anything(),
  });
  expect(dataset["dct:creator"]).toHaveLength(3);
});

test.each([
  "application/vnd.datacite.datacite+json",
  "application/x-bibtex",
  "application/x-dc+xml",
  "application/dcat+xml",
  "text/csv",
  "application/vnd.inveniordm.v1.full+csv",
])("a long list as %s is written in many turns of the event loop (architecture, rule 10)", async (type) => {
  const hits = Array.from({ length: 80 }, (_, at) => presentedRecord({ ...fullMetadata, title: `Title ${at}` }, {}));
  async function* slowly(pieces: Pieces) {
    for await (const piece of pieces) {
      const start = performance.now();
      while (performance.now() - start < 1);
      yield piece;
    }
  }
  const envelope = { hits: { hits, total: 80 } };
  const pieces = () => representationOf(type).renderList(hits, envelope, { locale: "en", style: "apa" });
  const expected = await text(Readable.from(pieces()));
  let turns = 0;
  let timer = setImmediate(function tick() {
    turns += 1;
    timer = setImmediate(tick);
  });
  const sent = new PassThrough();
  const answer = Object.assign(sent, {
    status() {},
    setHeader() {},
    hasHeader: () => false,
    vary() {},
  }) as unknown as Response;
  try {
    await Promise.all([
      answerText({ headers: {} } as Request, answer, 200, type, slowly(pieces())),
      text(sent).then((whole) => expect(whole).toBe(expected)),
    ]);
  } finally {
    clearImmediate(timer);
  }
  expect(turns).toBeGreaterThan(5);
});

describe("a client that disconnects stops the work on its long list (architecture, rule 10)", () => {
  const piece = "x".repeat(1000);
  function endless(one: string) {
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const work = { taken: 0, ended, pieces };
    async function* pieces() {
      try {
        for (;;) {
          work.taken += 1;
          yield one;
        }
      } finally {
        resolve();
      }
    }
    return work;
  }
  const answerTo = (sent: PassThrough) =>
    Object.assign(sent, { status() {}, setHeader() {}, hasHeader: () => false, vary() {} }) as unknown as Response;
  const codings = [{}, { "accept-encoding": "gzip" }];

  test.each(codings)("while the list is sent; no more is made than the client reads, with %j", async (headers) => {
    const sent = new PassThrough();
    const work = endless(piece);
    sent.once("data", () => sent.destroy());
    await answerText({ headers } as Request, answerTo(sent), 200, "text/csv", work.pieces());
    await work.ended;
    expect(work.taken * piece.length).toBeLessThan(20_000_000);
  });

  test("before there is anything to send", async () => {
    const sent = new PassThrough();
    const work = endless("");
    setImmediate(() => sent.destroy());
    await answerText({ headers: {} } as Request, answerTo(sent), 200, "text/csv", work.pieces());
    await work.ended;
  });
});
