import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { plugins } from "@citation-js/core";
import "@citation-js/plugin-bibtex";
import fc from "fast-check";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { describe, expect, test } from "vitest";
import { localeOf } from "../../shared/representations/answer-record.ts";
import type { RenderContext } from "../../shared/representations/representation.ts";
import { recordTypes, representationOf } from "../../shared/representations/representations.ts";
import { anyMetadata } from "../support/metadata-arbitraries.ts";
import { fullMetadata, presentedRecord } from "../support/presented-records.ts";

const english: RenderContext = { locale: "en", style: "apa" };
const full = presentedRecord(fullMetadata);
const draft = presentedRecord({}, { pids: {}, is_published: false });
const render = (type: string, record = full, context = english) => representationOf(type).render(record, context);
const renderList = (type: string, hits: (typeof full)[], envelope: Record<string, unknown> = {}) =>
  text(Readable.from(representationOf(type).renderList(hits, envelope, english)));
// biome-ignore lint/suspicious/noExplicitAny: each format has its own shape
const json = (type: string, record = full, context = english): any => JSON.parse(render(type, record, context));

const vendor = "application/vnd.inveniordm.v1+json";
const datacite = "application/vnd.datacite.datacite+json";
const csl = "application/vnd.citationstyles.csl+json";
const xmlTypes = [
  "application/x-dc+xml",
  "application/dcat+xml",
  "application/vnd.datacite.datacite+xml",
  "application/marcxml+xml",
];
const parser = new XMLParser({ ignoreAttributes: false, removeNSPrefix: true, parseTagValue: false });

describe("representations (records 10)", () => {
  test("ui: formatted dates, resolved titles, affiliation indexes, access status, version, is_draft", () => {
    const { ui, ...rest } = json(vendor);
    expect(rest).toEqual(json("application/json"));
    expect(ui).toMatchObject({
      publication_date_l10n_medium: "Jun 1, 2020",
      publication_date_l10n_long: "June 1, 2020",
      created_date_l10n_long: "June 2, 2020",
      updated_date_l10n_long: "June 3, 2020",
      resource_type: { id: "image-photo", title_l10n: "Photo" },
      languages: [{ id: "eng", title_l10n: "English" }],
      description_stripped: "Taken & developed. In a lab",
      creators: {
        affiliations: [
          [1, "European Organization for Nuclear Research", "01ggx4157"],
          [2, "Home", null],
        ],
        creators: [
          {
            person_or_org: { name: "Brown, Troy" },
            affiliations: [
              [1, "European Organization for Nuclear Research"],
              [2, "Home"],
            ],
          },
          { affiliations: [[2, "Home"]] },
        ],
      },
      access_status: { id: "open", title_l10n: "Open", description_l10n: expect.any(String), icon: expect.any(String) },
      version: "v1.2",
      is_draft: false,
    });
    expect(json(vendor, draft).ui).toMatchObject({ is_draft: true, version: "v2" });
    const german = json(vendor, full, { ...english, locale: "de" }).ui;
    expect(german).toMatchObject({
      publication_date_l10n_long: "1. Juni 2020",
      access_status: { title_l10n: "Offen" },
    });
  });

  test("partial dates and intervals in words", () => {
    const long = (publication_date: string) =>
      json(vendor, presentedRecord({ ...fullMetadata, publication_date })).ui.publication_date_l10n_long;
    expect(long("2020")).toBe("2020");
    expect(long("2020-06")).toBe("June 2020");
    expect(long("2019/2020-06-01")).toBe("2019 – June 1, 2020");
  });

  test("DataCite 4.5", () => {
    expect(json(datacite)).toMatchObject({
      types: { resourceTypeGeneral: "Image", resourceType: "Photo" },
      creators: [
        {
          name: "Brown, Troy",
          nameType: "Personal",
          givenName: "Troy",
          familyName: "Brown",
          nameIdentifiers: [{ nameIdentifier: "0000-0002-1825-0097", nameIdentifierScheme: "ORCID" }],
          affiliation: [{ affiliationIdentifier: "https://ror.org/01ggx4157" }, { name: "Home" }],
        },
        { name: "Research & Sons", nameType: "Organizational" },
      ],
      titles: [{ title: fullMetadata.title }, { title: "Ein Foto", titleType: "TranslatedTitle", lang: "de" }],
      publisher: { name: "Carrel Press" },
      publicationYear: "2020",
      subjects: [{ subject: "Physical sciences", subjectScheme: "FORD" }, { subject: "frames" }],
      contributors: [{ contributorType: "Editor" }, { contributorType: "Other" }],
      dates: [
        { date: "2020-06-01", dateType: "Issued" },
        { date: "2019/2020", dateType: "Collected", dateInformation: "in summer" },
        { dateType: "Updated" },
      ],
      language: "en",
      alternateIdentifiers: [{ alternateIdentifierType: "ISBN" }, { alternateIdentifierType: "URL" }],
      relatedIdentifiers: [{ relatedIdentifierType: "DOI", relationType: "Cites", resourceTypeGeneral: "Dataset" }],
      rightsList: [
        { rightsIdentifier: "cc-by-4.0", rightsUri: expect.stringContaining("creativecommons.org") },
        { rights: "Own", rightsUri: "https://example.org/own" },
        { rights: "© Troy" },
      ],
      descriptions: [{ descriptionType: "Abstract" }, { descriptionType: "Methods" }],
      version: "v1.2",
      geoLocations: [
        { geoLocationPlace: "CERN", geoLocationPoint: { pointLongitude: 6.05, pointLatitude: 46.23 } },
        {},
      ],
      fundingReferences: [{ funderName: "European Commission", awardNumber: "755021", awardTitle: "Award" }],
      schemaVersion: "http://datacite.org/schema/kernel-4",
    });
    expect(json(datacite).relatedIdentifiers).toHaveLength(1);
  });

  test("BibTeX: one entry with a unique key, read by another parser", async () => {
    const single = render("application/x-bibtex");
    expect(single).toMatch(/^@misc\{brown_2020_4d0ns-ntd89,\n/);
    const [entry, ...others] = plugins.input.chain(single);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      title: fullMetadata.title,
      author: [{ family: "Brown", given: "Troy" }, { family: "Research & Sons" }],
      issued: { "date-parts": [[2020, 6]] },
      publisher: "Carrel Press",
      DOI: "10.5072/4d0ns-ntd89",
    });
    const odd = { ...full.metadata, title: "Between { and", publisher: "} others" };
    const people = [
      { family_name: "Rock and Roll", given_name: "Jo, Jr." },
      { family_name: "Brown", given_name: "Troy" },
    ];
    const creators = people.map((person) => ({ person_or_org: { type: "personal" as const, ...person } }));
    const text = render("application/x-bibtex", { ...full, metadata: { ...odd, creators } });
    expect(text.match(/\{/g)?.length, "braces come in pairs").toBe(text.match(/\}/g)?.length);
    expect(text).toContain("{{Rock and Roll}, {Jo, Jr.} and Brown, Troy}");
    expect(text).toContain("{{Between \\textbraceleft{} and}}");
    const keys = ["3M Company", "李", "Müller"].map((name) => {
      const organisation = { person_or_org: { type: "organizational" as const, name } };
      const sent = render("application/x-bibtex", {
        ...full,
        metadata: { ...full.metadata, creators: [organisation] },
      });
      return /\{([^,]*),/.exec(sent)?.[1];
    });
    const end = "2020_4d0ns-ntd89";
    expect(keys, "a key begins with a letter").toEqual([`record_3mcompany_${end}`, `record_${end}`, `muller_${end}`]);
    const list = await renderList("application/x-bibtex", [full, { ...full, id: "cbc2k-q9x58" }]);
    const entries = plugins.input.chain(list);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(2);
  });

  test("CSL JSON, read by another parser", () => {
    const item = json(csl);
    expect(item).toMatchObject({
      id: "4d0ns-ntd89",
      type: "graphic",
      title: fullMetadata.title,
      author: [{ family: "Brown", given: "Troy" }, { literal: "Research & Sons" }],
      issued: { "date-parts": [[2020, 6, 1]] },
      publisher: "Carrel Press",
      DOI: "10.5072/4d0ns-ntd89",
    });
    const [read] = plugins.input.chain([item]);
    expect(read).toMatchObject(item);
  });

  test("Dublin Core", () => {
    const { dc } = parser.parse(render("application/x-dc+xml"));
    expect(dc).toMatchObject({
      creator: ["Brown, Troy", "Research & Sons"],
      contributor: ["Müller", "Else"],
      date: "2020-06-01",
      language: "en",
      publisher: "Carrel Press",
      subject: ["Physical sciences", "frames"],
      type: ["info:eu-repo/semantics/other", "Photo"],
    });
    expect(dc.title[0]).toBe(fullMetadata.title);
    expect(dc.identifier[0]).toBe("https://doi.org/10.5072/4d0ns-ntd89");
  });

  test("DataCite XML and MARCXML", () => {
    const { resource } = parser.parse(render("application/vnd.datacite.datacite+xml"));
    expect(resource).toMatchObject({
      identifier: { "#text": "10.5072/4d0ns-ntd89", "@_identifierType": "DOI" },
      publicationYear: "2020",
      resourceType: { "#text": "Photo", "@_resourceTypeGeneral": "Image" },
    });
    expect(resource.creators.creator).toHaveLength(2);
    const { record } = parser.parse(render("application/marcxml+xml"));
    const title = record.datafield.find((field: Record<string, unknown>) => field["@_tag"] === "245");
    expect(title.subfield["#text"]).toBe(fullMetadata.title);
  });

  test("schema.org, linkset, GeoJSON", () => {
    expect(json("application/ld+json")).toMatchObject({
      "@context": "https://schema.org",
      "@id": "https://doi.org/10.5072/4d0ns-ntd89",
      "@type": "Photograph",
      name: fullMetadata.title,
      creator: [{ "@type": "Person", "@id": "https://orcid.org/0000-0002-1825-0097" }, { "@type": "Organization" }],
      datePublished: "2020-06-01",
    });
    expect(json("application/linkset+json").linkset[0]["cite-as"]).toHaveLength(1);
    expect(json("application/vnd.geo+json").features).toHaveLength(2);
  });

  test.each(["application/linkset+json", "application/dcat+xml"])(
    "%s: files to download are named where there are any (records 10)",
    (type) => {
      const links = { ...full.links, archive: "https://example.org/api/records/4d0ns-ntd89/files-archive" };
      expect(render(type, { ...full, links, files: { enabled: true } })).toContain(links.archive);
      expect(render(type, { ...full, links, files: { enabled: false } })).not.toContain(links.archive);
    },
  );

  test.each(xmlTypes)("%s: XML output escapes all values, and lists are one document", async (type) => {
    expect(XMLValidator.validate(render(type))).toBe(true);
    expect(XMLValidator.validate(render(type, draft))).toBe(true);
    expect(XMLValidator.validate(await renderList(type, [full, draft]))).toBe(true);
    expect(XMLValidator.validate(await renderList(type, []))).toBe(true);
    expect(render(type)).not.toContain("<frame>");
  });

  test("JSON lists keep the envelope", async () => {
    const envelope = { hits: { hits: [full], total: 1 }, sortBy: "newest", links: { self: "x" } };
    const list = JSON.parse(await renderList(datacite, [full], envelope));
    expect(list).toEqual({ ...envelope, hits: { total: 1, hits: [json(datacite)] } });
  });

  test("any stored metadata can be shown in every type", () => {
    fc.assert(
      fc.property(anyMetadata, (metadata) => {
        const record = presentedRecord(JSON.parse(JSON.stringify(metadata)));
        for (const type of recordTypes) {
          const text = render(type, record);
          if (xmlTypes.includes(type)) expect(XMLValidator.validate(text)).toBe(true);
          else if (/json(;|$)/.test(type)) JSON.parse(text);
        }
        expect(plugins.input.chain(render("application/x-bibtex", record))).toHaveLength(1);
      }),
      { seed: 20261121, numRuns: 300 },
    );
  });

  test.each([
    [undefined, "en"],
    ["de-AT,de;q=0.9,en;q=0.5", "de-AT"],
    ["en;q=0.5, da", "da"],
    ["*", "en"],
    ["zz-nonsense-tag-that-is-wrong,fr", "fr"],
    ["\u0000", "en"],
  ])("Accept-Language %s → %s", (header, locale) => {
    expect(localeOf(header)).toBe(locale);
  });
});
