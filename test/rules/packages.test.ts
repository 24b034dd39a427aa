import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { PresentedRecord } from "../../shared/representations/presented-record.ts";
import { representationOf } from "../../shared/representations/representations.ts";
import { crateType, roCrateOf } from "../../shared/representations/ro-crate.ts";
import { anyMetadata } from "../support/metadata-arbitraries.ts";
import { fullMetadata, presentedRecord } from "../support/presented-records.ts";

const render = (type: string, record: PresentedRecord) =>
  representationOf(type).render(record, { locale: "en", style: "apa" });
const base = "http://127.0.0.1:5000/api/records/4d0ns-ntd89";
const entry = (key: string, size: number) => ({
  ...{ key, status: "completed", size, mimetype: "text/csv", checksum: "md5:0cc175b9c0f1b6a831c399e269772661" },
  links: { content: `/api/records/4d0ns-ntd89/files/${encodeURIComponent(key)}/content` },
});
const files = { enabled: true, entries: { "in/Äther 1.csv": entry("in/Äther 1.csv", 4), "b.csv": entry("b.csv", 5) } };
const links = { self: base, self_html: base.replace("/api", ""), archive: `${base}/files-archive` };
const full = presentedRecord(fullMetadata, { files, links });
const draft = presentedRecord({}, { pids: {}, is_published: false, links });
const software = presentedRecord(
  { ...fullMetadata, resource_type: { id: "software" }, publication_date: "2020-06-01" },
  {
    files,
    links,
    custom_fields: { "code:codeRepository": "https://git.example.org/a", "code:developmentStatus": { id: "active" } },
  },
);

const ris = "application/x-research-info-systems";
const cff = "application/x-yaml";
const codemeta = "application/vnd.codemeta.ld+json";
const dataPackage = "application/vnd.datapackage+json";

interface Entity {
  "@id": string;
  "@type": string;
  [name: string]: unknown;
}
const graphOf = (crate: object): Entity[] => (crate as { "@graph": Entity[] })["@graph"];

/** What breaks RO-Crate 1.1: missing parts, entities twice or inside others, references to nowhere. */
function crateFaults(crate: object): string[] {
  const graph = graphOf(crate);
  const ids = graph.map((entity) => entity["@id"]);
  const root = graph.find((entity) => entity["@id"] === "./");
  const nested: string[] = [];
  const refer = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) refer(item);
    else if (typeof value === "object" && value !== null) {
      const id = (value as Entity)["@id"];
      if (Object.keys(value).join() !== "@id") nested.push(`nested ${JSON.stringify(value)}`);
      else if (!ids.includes(id) && !id.startsWith("https://w3id.org/ro/crate")) nested.push(`unknown ${id}`);
    }
  };
  for (const entity of graph) for (const value of Object.values(entity)) refer(value);
  return [
    ...nested,
    ...(new Set(ids).size === ids.length ? [] : ["an entity stands twice"]),
    ...["name", "description", "datePublished"].filter((name) => !root?.[name]),
    ...(graph.every((entity) => entity["@type"]) ? [] : ["an entity without a type"]),
  ];
}

describe("files of citations and packages (interoperability 24, 40, issue 18)", () => {
  test("RIS: a tag a line, types of reference managers", () => {
    const lines = render(ris, full).split("\r\n");
    expect(lines.at(0)).toBe("TY  - FIGURE");
    expect(lines.slice(-2)).toEqual(["ER  - ", ""]);
    for (const line of lines.slice(0, -1)) expect(line).toMatch(/^[A-Z][A-Z0-9] {2}- /);
    for (const line of [
      "AU  - Brown, Troy",
      "AU  - Research & Sons",
      "ED  - Müller",
      "PY  - 2020",
      "DA  - 2020/06/01/",
    ])
      expect(lines).toContain(line);
    expect(lines).toContain("DO  - 10.5072/4d0ns-ntd89");
    expect(render(ris, software)).toMatch(/^TY {2}- COMP\r\n/);
  });

  test("CFF 1.2.0: software and data; other works as preferred citation", () => {
    const read = parse(render(cff, software));
    expect(read).toMatchObject({
      "cff-version": "1.2.0",
      type: "software",
      title: fullMetadata.title,
      authors: [
        {
          ...{ "family-names": "Brown", "given-names": "Troy", orcid: "https://orcid.org/0000-0002-1825-0097" },
          affiliation: "European Organization for Nuclear Research",
        },
        { name: "Research & Sons" },
      ],
      "date-released": "2020-06-01",
      doi: "10.5072/4d0ns-ntd89",
      license: "CC-BY-4.0",
      "repository-code": "https://git.example.org/a",
    });
    const article = presentedRecord({ ...fullMetadata, resource_type: { id: "publication-article" } });
    expect(parse(render(cff, article))["preferred-citation"]).toMatchObject({ type: "article", year: "2020" });
    expect(parse(render(cff, draft))).toMatchObject({ title: ":unav", authors: [{ name: ":unav" }] });
  });

  test("CodeMeta 3.0 and Data Package 2.0", () => {
    expect(JSON.parse(render(codemeta, software))).toMatchObject({
      "@context": "https://w3id.org/codemeta/3.0",
      "@type": "SoftwareSourceCode",
      author: [{ "@type": "Person" }, { "@type": "Organization" }],
      codeRepository: "https://git.example.org/a",
      developmentStatus: "active",
      downloadUrl: links.archive,
    });
    const described = JSON.parse(render(dataPackage, full));
    expect(described).toMatchObject({
      $schema: "https://datapackage.org/profiles/2.0/datapackage.json",
      name: "4d0ns-ntd89",
      licenses: [{ name: "CC-BY-4.0" }, { path: "https://example.org/own", title: "Own" }],
      contributors: [{ title: "Brown, Troy", roles: ["author"] }, {}, { roles: ["contributor"] }, {}],
    });
    expect(described.resources).toEqual([
      {
        ...{ name: "in-a-ther-1.csv", title: "in/Äther 1.csv", format: "csv", mediatype: "text/csv", bytes: 4 },
        path: `${base}/files/in%2F%C3%84ther%201.csv/content`,
        hash: "md5:0cc175b9c0f1b6a831c399e269772661",
      },
      expect.objectContaining({ name: "b.csv", bytes: 5 }),
    ]);
  });

  test("RO-Crate 1.1: a flat graph with a descriptor, the root and each file", () => {
    const crate = JSON.parse(render(crateType, full));
    expect(crate["@context"]).toBe("https://w3id.org/ro/crate/1.1/context");
    const [descriptor, ...others] = graphOf(crate);
    expect(descriptor).toEqual({
      ...{ "@id": "ro-crate-metadata.json", "@type": "CreativeWork", about: { "@id": "./" } },
      conformsTo: { "@id": "https://w3id.org/ro/crate/1.1" },
    });
    const root = others.find((entity) => entity["@id"] === "./");
    expect(root).toMatchObject({ "@type": "Dataset", name: fullMetadata.title, datePublished: "2020-06-01" });
    expect(root?.author).toContainEqual({ "@id": "https://orcid.org/0000-0002-1825-0097" });
    expect(root?.hasPart).toContainEqual({ "@id": `${base}/files/b.csv/content` });
    expect(crateFaults(crate)).toEqual([]);
    const packed = graphOf(roCrateOf(full, true)).filter((entity) => entity["@type"] === "File");
    expect(packed.map((entity) => entity["@id"])).toEqual(["data/in/%C3%84ther%201.csv", "data/b.csv"]);
    expect(crateFaults({ "@graph": [{ "@id": "./", a: { "@id": "#nowhere" } }] })).not.toEqual([]);
  });

  test("any stored metadata fits into every one of them", () => {
    fc.assert(
      fc.property(anyMetadata, (metadata) => {
        const record = presentedRecord(JSON.parse(JSON.stringify(metadata)), { files, links });
        expect(
          render(ris, record)
            .split("\r\n")
            .slice(0, -1)
            .every((line) => /^[A-Z][A-Z0-9] {2}- /.test(line)),
        ).toBe(true);
        expect(parse(render(cff, record)).title).toBe(record.metadata.title || ":unav");
        for (const type of [codemeta, dataPackage]) JSON.parse(render(type, record));
        expect(crateFaults(JSON.parse(render(crateType, record)))).toEqual([]);
      }),
      { seed: 20261124, numRuns: 200 },
    );
  });
});
