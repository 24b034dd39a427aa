import fc from "fast-check";
import { XMLParser } from "fast-xml-parser";
import { describe, expect, test } from "vitest";
import type { PresentedRecord } from "../../shared/representations/presented-record.ts";
import { representationOf } from "../../shared/representations/representations.ts";
import { listShippedEntries } from "../../shared/vocabularies/shipped-entries.ts";
import { dataciteFaults } from "../support/datacite-schema.ts";
import { anyMetadata } from "../support/metadata-arbitraries.ts";
import { fullMetadata, presentedRecord } from "../support/presented-records.ts";

const render = (type: string, record: PresentedRecord, locale = "en") =>
  representationOf(type).render(record, { locale, style: "apa" });
// biome-ignore lint/suspicious/noExplicitAny: each format has its own shape
const json = (type: string, record: PresentedRecord, locale = "en"): any => JSON.parse(render(type, record, locale));
const parser = new XMLParser({ ignoreAttributes: false, removeNSPrefix: true, parseTagValue: false });
const xml = (type: string, record: PresentedRecord) => parser.parse(render(type, record));

const datacite = "application/vnd.datacite.datacite+json";
const vendor = "application/vnd.inveniordm.v1+json";
const base = "http://127.0.0.1:5000";
const files = {
  enabled: true,
  entries: {
    "a b.csv": {
      ...{ key: "a b.csv", status: "completed", size: 4, mimetype: "text/csv", checksum: "md5:00" },
      links: { content: "/api/records/4d0ns-ntd89/files/a%20b.csv/content" },
    },
    "hidden.txt": {
      ...{ key: "hidden.txt", status: "completed", size: 1, mimetype: "text/plain", access: { hidden: true } },
      links: { content: "/api/records/4d0ns-ntd89/files/hidden.txt/content" },
    },
  },
};
const links = {
  self: `${base}/api/records/4d0ns-ntd89`,
  self_html: `${base}/records/4d0ns-ntd89`,
  archive: `${base}/api/records/4d0ns-ntd89/files-archive`,
};
const embargo = { active: true, until: "2031-02-03" };
const full = presentedRecord(fullMetadata, { files, links });
const embargoed = presentedRecord(fullMetadata, {
  access: { record: "public", files: "restricted", status: "embargoed", embargo },
  files: { enabled: true },
  links,
});

describe("DataCite 4.5 (interoperability 15, issue 18)", () => {
  test("boxes and polygons, award address, date of change, copyright, page, empty lists of identifiers", () => {
    const award = { title: { en: "A" }, number: "1", identifiers: [{ scheme: "doi", identifier: "10.1234/award" }] };
    const features = [
      {
        geometry: {
          type: "MultiPoint",
          coordinates: [
            [1, 2],
            [3, -4],
          ],
        },
        place: "Two",
      },
      ...fullMetadata.locations.features,
    ];
    const funding = [{ funder: { id: "00k4n6c32" }, award }];
    const found = json(datacite, presentedRecord({ ...fullMetadata, funding, locations: { features } }, { links }));
    const box = (west: number, south: number, east: number, north: number) => ({
      ...{ westBoundLongitude: west, eastBoundLongitude: east },
      ...{ southBoundLatitude: south, northBoundLatitude: north },
    });
    expect(found.geoLocations).toEqual([
      { geoLocationPlace: "Two", geoLocationBox: box(1, -4, 3, 2) },
      { geoLocationPlace: "CERN", geoLocationPoint: { pointLongitude: 6.05, pointLatitude: 46.23 } },
      { geoLocationBox: box(0, 0, 1, 1), geoLocationPolygon: expect.any(Array) },
    ]);
    expect(found.geoLocations[2].geoLocationPolygon).toHaveLength(4);
    expect(found.fundingReferences[0].awardUri).toBe("https://doi.org/10.1234/award");
    expect(found.dates).toContainEqual({ date: "2020-06-03T10:00:00Z", dateType: "Updated" });
    expect(found.rightsList).toContainEqual({ rights: "© Troy" });
    expect(found.alternateIdentifiers).toContainEqual({
      alternateIdentifier: links.self_html,
      alternateIdentifierType: "URL",
    });
    expect(found.creators.map((one: { nameIdentifiers: unknown[] }) => one.nameIdentifiers.length)).toEqual([1, 0]);
    const { resource } = xml("application/vnd.datacite.datacite+xml", full);
    const [, area] = resource.geoLocations.geoLocation;
    expect(Object.keys(area)).toEqual(["geoLocationBox", "geoLocationPolygon"]);
    expect(Object.keys(area.geoLocationBox)).toEqual(Object.keys(box(0, 0, 0, 0)));
  });

  test("every record that can be published follows the schema", () => {
    const { resource_type, title, creators, publication_date } = fullMetadata;
    const required = { resource_type, title, creators, publication_date };
    expect(dataciteFaults(json(datacite, full))).toEqual([]);
    expect(dataciteFaults({ ...json(datacite, full), identifiers: [] })).not.toEqual([]);
    for (const { id } of listShippedEntries("resourcetypes")) {
      const record = presentedRecord({ ...required, resource_type: { id } }, { links });
      expect([id, dataciteFaults(json(datacite, record))]).toEqual([id, []]);
    }
    fc.assert(
      fc.property(anyMetadata, (metadata) => {
        const record = presentedRecord({ ...JSON.parse(JSON.stringify(metadata)), ...required }, { links });
        expect(dataciteFaults(json(datacite, record))).toEqual([]);
      }),
      { seed: 20261124, numRuns: 200 },
    );
  });
});

test("oai_dc: addresses, info:eu-repo types, end of an embargo, access rights (interoperability 16, issue 18)", () => {
  const { dc } = xml("application/x-dc+xml", embargoed);
  expect(dc.relation).toEqual(["https://doi.org/10.1234/foo", "https://scicrunch.org/resolver/RRID:AB_90755"]);
  expect(dc.type).toEqual(["info:eu-repo/semantics/other", "Photo"]);
  expect(dc.date).toEqual(["2020-06-01", "info:eu-repo/date/embargoEnd/2031-02-03"]);
  expect(dc.rights[0]).toBe("info:eu-repo/semantics/embargoedAccess");
  const article = presentedRecord({ ...fullMetadata, resource_type: { id: "publication-article" } });
  expect(xml("application/x-dc+xml", article).dc.type[0]).toBe("info:eu-repo/semantics/article");
  const closed = presentedRecord(fullMetadata, { access: { status: "metadata-only" } });
  expect(xml("application/x-dc+xml", closed).dc.rights[0]).toBe("info:eu-repo/semantics/closedAccess");
});

test("ui: embargo sentence with the date, funding, dates as stored (interoperability 17, issue 18)", () => {
  const { ui } = json(vendor, embargoed);
  expect(ui.access_status).toMatchObject({
    description_l10n: "The files will be made publicly available on February 3, 2031.",
    embargo_date_l10n: "February 3, 2031",
  });
  const german = json(vendor, embargoed, "de").ui.access_status.description_l10n;
  expect(german).toBe("Die Dateien werden am 3. Februar 2031 öffentlich zugänglich.");
  // The end of an embargo opens a restricted record as well.
  const access = { record: "restricted", files: "restricted", status: "embargoed", embargo };
  const closed = json(vendor, presentedRecord(fullMetadata, { access })).ui.access_status.description_l10n;
  expect(closed).toBe("The record and files will be made publicly available on February 3, 2031.");
  expect(ui.funding).toMatchObject([
    { funder: { name: "European Commission" }, award: { number: "755021", title_l10n: "Award" } },
  ]);
  expect(ui.dates).toEqual([
    {
      ...{ date: "2019/2020", date_l10n: "2019 – 2020", description: "in summer" },
      type: { id: "collected", title_l10n: "Collected" },
    },
  ]);
});

test("MARCXML: organisations in 710, 980 with a pair; schema.org: plain date, files (interoperability 22, issue 18)", () => {
  const [person, organisation] = fullMetadata.creators;
  const record = presentedRecord({ ...fullMetadata, creators: [organisation, person] }, { files, links });
  const fieldsOf = (tag: string) =>
    xml("application/marcxml+xml", record)
      .record.datafield.filter((field: Record<string, string>) => field["@_tag"] === tag)
      .map(({ subfield }: { subfield: unknown }) =>
        [subfield]
          .flat()
          .map((one) => [(one as Record<string, string>)["@_code"], (one as Record<string, string>)["#text"]]),
      );
  expect(fieldsOf("100")[0][0]).toEqual(["a", "Brown, Troy"]);
  expect(fieldsOf("110")).toEqual([]);
  expect(fieldsOf("710")[0][0]).toEqual(["a", "Research & Sons"]);
  expect(fieldsOf("980")).toEqual([
    [
      ["a", "image"],
      ["b", "photo"],
    ],
  ]);
  const interval = presentedRecord({ ...fullMetadata, publication_date: "2019-05/2020" }, { files, links });
  expect(json("application/ld+json", interval)).toMatchObject({
    datePublished: "2019-05",
    distribution: [
      {
        "@type": "DataDownload",
        name: "a b.csv",
        contentUrl: `${links.self}/files/a%20b.csv/content`,
        encodingFormat: "text/csv",
        contentSize: "4",
      },
    ],
  });
  expect(json("application/ld+json", embargoed).distribution).toBeUndefined();
});

test("DCAT: language by the authority, a distribution for each open file, place and time (interoperability 33, issue 18)", () => {
  const dataset = xml("application/dcat+xml", full).RDF.Dataset;
  const resource = "@_rdf:resource";
  expect(dataset.language["@_resource"] ?? dataset.language[resource]).toBe(
    "http://publications.europa.eu/resource/authority/language/ENG",
  );
  const { Distribution } = dataset.distribution;
  expect(Distribution.title).toBe("a b.csv");
  expect(Distribution.byteSize["#text"]).toBe("4");
  expect(render("application/dcat+xml", full)).toContain(
    `downloadURL rdf:resource="${links.self}/files/a%20b.csv/content"`,
  );
  expect(render("application/dcat+xml", full)).toContain('media-types/text/csv"');
  const places = dataset.spatial.map((one: { Location: object }) => one.Location);
  expect(places[0]).toMatchObject({ prefLabel: "CERN", bbox: { "#text": "POINT(6.05 46.23)" } });
  expect(places[1].bbox["#text"]).toBe("POLYGON((0 0, 1 0, 1 1, 0 1, 0 0))");
  expect(dataset.temporal.PeriodOfTime).toMatchObject({ startDate: { "#text": "2019" }, endDate: { "#text": "2020" } });
  expect(render("application/dcat+xml", embargoed)).toContain(links.archive);
  expect(render("application/dcat+xml", embargoed)).not.toContain("a%20b.csv");
});
