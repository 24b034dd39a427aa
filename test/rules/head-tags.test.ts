import { describe, expect, test } from "vitest";
import type { ShownFile } from "../../server/pages/file-rows.ts";
import { headOf } from "../../server/pages/record-head.ts";
import type { RecordBody } from "../../shared/records/record.presenter.ts";
import type { PresentedRecord } from "../../shared/representations/presented-record.ts";
import { listShippedEntries } from "../../shared/vocabularies/shipped-entries.ts";
import { fullMetadata, presentedRecord } from "../support/presented-records.ts";

const base = "http://127.0.0.1:5000";
const links = {
  self: `${base}/api/records/4d0ns-ntd89`,
  self_html: `${base}/records/4d0ns-ntd89`,
  archive: `${base}/api/records/4d0ns-ntd89/files-archive`,
};
const entry = (key: string) => ({
  ...{ key, status: "completed", size: 4, mimetype: "application/pdf", checksum: "md5:00" },
  links: { content: `/api/records/4d0ns-ntd89/files/${key}/content` },
});
const files = { enabled: true, entries: { "a.pdf": entry("a.pdf") } };
const shown = [{ key: "a.pdf", size: 4, sha256: "5a".repeat(32), address: `${links.self}/files/a.pdf/content` }];

function tagsOf(record: PresentedRecord, listed: readonly ShownFile[] = shown) {
  const body = {} as RecordBody;
  const text = headOf({ record, body, files: listed, versions: [], isDraft: false, isPublic: true })
    .map(({ html }) => html)
    .join("\n");
  const [, data = "{}"] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text) ?? [];
  return {
    jsonLd: JSON.parse(data),
    meta: (name: string) =>
      [...text.matchAll(new RegExp(`<meta name="${name}" content="([^"]*)">`, "g"))].map(([, content]) => content),
  };
}

const typed = (id: string, others: object = {}) =>
  presentedRecord({ ...fullMetadata, resource_type: { id }, ...others }, { links, files });

describe("what search engines require of every type of record (web 7, 13)", () => {
  const types = listShippedEntries("resourcetypes").map(({ id }) => id);

  test("Google Dataset Search and F-UJI find each of their fields, for all resource types", () => {
    expect(types.length).toBeGreaterThan(20);
    for (const id of types) {
      const { jsonLd, meta } = tagsOf(typed(id));
      expect(jsonLd, id).toMatchObject({
        "@context": "https://schema.org",
        "@type": expect.stringMatching(/^[A-Z]\w+$/),
        "@id": "https://doi.org/10.5072/4d0ns-ntd89",
        identifier: "https://doi.org/10.5072/4d0ns-ntd89",
        url: links.self_html,
        sameAs: [links.self_html],
        name: fullMetadata.title,
        keywords: expect.arrayContaining(["frames"]),
        license: expect.arrayContaining([expect.stringMatching(/^https?:/)]),
        publisher: { name: "Carrel Press" },
        version: "v1.2",
        datePublished: "2020-06-01",
        temporalCoverage: ["2019/2020"],
        spatialCoverage: [
          { "@type": "Place", name: "CERN", geo: { "@type": "GeoCoordinates", latitude: 46.23, longitude: 6.05 } },
          { geo: { "@type": "GeoShape", box: "0 0 1 1" } },
        ],
        citation: [{ "@id": "https://doi.org/10.1234/foo", "@type": "Dataset" }, expect.anything()],
        conditionsOfAccess: "http://purl.org/coar/access_right/c_abf2",
        isAccessibleForFree: true,
        includedInDataCatalog: { "@type": "DataCatalog", "@id": `${base}/` },
        distribution: [
          {
            contentUrl: shown[0]?.address,
            encodingFormat: "application/pdf",
            contentSize: "4",
            sha256: "5a".repeat(32),
          },
        ],
        funding: [{ "@type": "Grant" }],
      });
      const people = jsonLd["@type"] === "Dataset" ? jsonLd.creator : jsonLd.author;
      expect(people, id).toMatchObject([{ name: "Troy Brown" }, { name: "Research & Sons" }]);
      expect(jsonLd.description.length, id).toBeGreaterThanOrEqual(50);
      expect(meta("description"), id).toEqual([expect.stringMatching(/^Taken/)]);
    }
  });

  test("descriptions are neither short nor long; a page embeds a hundred people, and the export has all", () => {
    const creators = Array.from({ length: 130 }, (_one, at) => ({
      person_or_org: { type: "personal", family_name: `Author${at}` },
    }));
    const long = tagsOf(typed("dataset", { creators, description: `<p>${"long ".repeat(2000)}</p>` })).jsonLd;
    expect([long.description.length, long.creator.length]).toEqual([5000, 100]);
    const { description: _none, ...others } = fullMetadata;
    const { jsonLd, meta } = tagsOf(presentedRecord(others, { links, files }));
    expect(jsonLd.description).toBe(`${fullMetadata.title}. Photo, Brown, Troy; Research & Sons, 2020, Carrel Press`);
    expect(meta("description")).toHaveLength(1);
  });
});

describe("Highwire tags (web 7)", () => {
  test("name the journal, book, meeting, university or institution of a work", () => {
    const record = {
      ...typed("publication-report"),
      custom_fields: {
        "journal:journal": { title: "Deep Sea", volume: "4", issue: "2", pages: "10–19", issn: "1234-5679" },
        "imprint:imprint": { title: "Of Seas", isbn: "978-3-16-148410-0" },
        "meeting:meeting": { title: "Sea Days" },
        "thesis:thesis": { university: "Bergen" },
      },
    };
    const { meta } = tagsOf(record);
    const values = {
      ...{ journal_title: "Deep Sea", issn: "1234-5679", volume: "4", issue: "2", firstpage: "10", lastpage: "19" },
      ...{ inbook_title: "Of Seas", isbn: "978-3-16-148410-0", conference_title: "Sea Days" },
      ...{ dissertation_institution: "Bergen", technical_report_institution: "Carrel Press" },
    };
    for (const [name, value] of Object.entries(values)) expect(meta(`citation_${name}`), name).toEqual([value]);
  });

  test("the PDF of a publication is its preview, else its only one; other works name none", () => {
    const article = typed("publication-article");
    const two = [...shown, { key: "b.pdf", size: 4, address: `${links.self}/files/b.pdf/content` }];
    const pdf = (record: PresentedRecord, listed: readonly ShownFile[] = shown) =>
      tagsOf(record, listed).meta("citation_pdf_url");
    // Google Scholar wants it below the page.
    expect(pdf(article)).toEqual([`${links.self_html}/files/${shown[0]?.key}?download=1`]);
    expect(pdf(article, two)).toEqual([]);
    expect(pdf({ ...article, files: { ...files, default_preview: "b.pdf" } }, two)).toEqual([
      `${links.self_html}/files/b.pdf?download=1`,
    ]);
    expect(pdf(typed("dataset"))).toEqual([]);
  });
});
