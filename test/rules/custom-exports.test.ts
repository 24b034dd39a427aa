import { expect, test } from "vitest";
import { bibtexOf } from "../../shared/representations/bibtex.ts";
import { cslOf } from "../../shared/representations/csl.ts";
import { dataciteOf } from "../../shared/representations/datacite.ts";
import { dataciteXmlOf } from "../../shared/representations/datacite-xml.ts";
import type { PresentedRecord } from "../../shared/representations/presented-record.ts";
import { schemaOrgOf } from "../../shared/representations/schema-org.ts";

const recordWith = (type: string, custom_fields: Record<string, unknown>): PresentedRecord => ({
  id: "4d0ns-ntd89",
  created: "2026-01-01T00:00:00Z",
  updated: "2026-01-01T00:00:00Z",
  metadata: { title: "Currents", resource_type: { id: type }, publication_date: "2020", publisher: "Carrel" },
  custom_fields,
  pids: {},
});

const article = recordWith("publication-article", {
  "journal:journal": { title: "Deep Sea & Sky", volume: "12", issue: "3", pages: "101–120", issn: "0967-0637" },
});

test("a journal article says where it appeared, in every format that has a place for it (app H8)", () => {
  const bibtex = bibtexOf(article);
  for (const line of ["journal      = {Deep Sea \\& Sky}", "volume       = {12}", "number       = {3}"])
    expect(bibtex).toContain(line);
  expect(bibtex).toContain("pages        = {101--120}");
  expect(cslOf(article)).toMatchObject({
    "container-title": "Deep Sea & Sky",
    volume: "12",
    issue: "3",
    page: "101–120",
    ISSN: "0967-0637",
  });
  expect(dataciteOf(article).relatedItems).toEqual([
    {
      relatedItemType: "Journal",
      relationType: "IsPublishedIn",
      relatedItemIdentifier: { relatedItemIdentifier: "0967-0637", relatedItemIdentifierType: "ISSN" },
      titles: [{ title: "Deep Sea & Sky" }],
      volume: "12",
      issue: "3",
      firstPage: "101",
      lastPage: "120",
    },
  ]);
  expect(dataciteXmlOf(article).xml).toContain("<title>Deep Sea &amp; Sky</title>");
  expect(schemaOrgOf(article)).toMatchObject({
    pagination: "101–120",
    isPartOf: {
      issueNumber: "3",
      isPartOf: { volumeNumber: "12", isPartOf: { "@type": "Periodical", name: "Deep Sea & Sky" } },
    },
  });
});

test("a chapter, a thesis and software are told with what they have (app H8)", () => {
  const chapter = recordWith("publication-section", {
    "imprint:imprint": { title: "A Book", isbn: "978-3-16-148410-0", pages: "7-9", place: "Kiel", edition: "2nd" },
  });
  expect(bibtexOf(chapter)).toMatch(/booktitle += \{A Book\}[\s\S]*isbn += [\s\S]*address += \{Kiel\}/);
  expect(cslOf(chapter)).toMatchObject({ "container-title": "A Book", "publisher-place": "Kiel", page: "7-9" });
  expect(dataciteOf(chapter).relatedItems).toMatchObject([{ relatedItemType: "Book", edition: "2nd" }]);

  const thesis = recordWith("publication-thesis", {
    "thesis:thesis": { type: "PhD" },
    "thesis:university": "University of Kiel",
  });
  expect(bibtexOf(thesis)).toMatch(/school += \{University of Kiel\}/);
  expect(bibtexOf(thesis)).not.toContain("Carrel");
  expect(cslOf(thesis)).toMatchObject({ publisher: "University of Kiel", genre: "PhD" });

  const software = recordWith("software", {
    "code:codeRepository": "https://git.example/tool",
    "code:programmingLanguage": [{ id: "python", title: { en: "Python" } }],
    "code:developmentStatus": { id: "active", title: { en: "Active" } },
  });
  expect(schemaOrgOf(software)).toMatchObject({
    codeRepository: "https://git.example/tool",
    programmingLanguage: ["Python"],
    creativeWorkStatus: "Active",
  });
  const talk = recordWith("presentation", { "meeting:meeting": { title: "Ocean Days", place: "Brest" } });
  expect(cslOf(talk)).toMatchObject({ "event-title": "Ocean Days", "event-place": "Brest" });
});

test("custom fields of another shape are no reason to fail (records 10)", () => {
  const odd = recordWith("publication-article", {
    "journal:journal": "Sea",
    "imprint:imprint": null,
    "code:developmentStatus": [null],
  });
  expect(() => [bibtexOf(odd), cslOf(odd), dataciteOf(odd), schemaOrgOf(odd)]).not.toThrow();
});

test("a record without DOI is written with identifierType URL, not :unav (web 8, OAI-PMH formats)", () => {
  const page = "https://library.example.org/records/4d0ns-ntd89";
  const { xml } = dataciteXmlOf({ ...article, links: { self_html: page } });
  expect(xml).toContain(`<identifier identifierType="URL">${page}</identifier>`);
  expect(dataciteXmlOf(article).xml).toContain('<identifier identifierType="DOI">:unav</identifier>');
  const withDoi = {
    ...article,
    links: { self_html: page },
    pids: { doi: { identifier: "10.5072/a", provider: "external" } },
  };
  expect(dataciteXmlOf(withDoi).xml).toContain('<identifier identifierType="DOI">10.5072/a</identifier>');
});
