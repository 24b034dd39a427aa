import { describe, expect, test } from "vitest";
import { bibtexOf } from "../../shared/representations/bibtex.ts";
import { cslOf } from "../../shared/representations/csl.ts";
import { dataciteOf } from "../../shared/representations/datacite.ts";
import { dublinCoreOf } from "../../shared/representations/dublin-core.ts";
import { marcOf } from "../../shared/representations/marcxml.ts";
import { schemaOrgOf } from "../../shared/representations/schema-org.ts";
import { listShippedEntries } from "../../shared/vocabularies/shipped-entries.ts";
import { fullMetadata, presentedRecord } from "../support/presented-records.ts";

const complete = {
  "journal:journal": { title: "Nature" },
  "imprint:imprint": { title: "A Book" },
  "meeting:meeting": { title: "A Meeting" },
  "thesis:thesis": { university: "University of Kiel" },
};

const kindOf = (id: string, custom_fields: object = complete, metadata: object = {}): string => {
  const resource_type = { id, title: { en: id } };
  const record = presentedRecord({ ...fullMetadata, resource_type, publisher: "Press", ...metadata } as never);
  return /^@(\w+)\{/.exec(bibtexOf({ ...record, custom_fields } as never))?.[1] ?? "";
};

describe("kinds of BibTeX entries", () => {
  test.each([
    ["dataset", "dataset"],
    ["software", "software"],
    ["publication-article", "article"],
    ["publication-report", "techreport"],
    ["publication-deliverable", "techreport"],
    ["publication-milestone", "techreport"],
    ["publication-technicalnote", "techreport"],
    ["publication-softwaredocumentation", "manual"],
    ["publication-datamanagementplan", "misc"],
    ["publication-dissertation", "phdthesis"],
    ["publication-conferencepaper", "inproceedings"],
    ["publication-section", "inbook"],
    ["publication-book", "book"],
  ])("%s is @%s (interoperability 19)", (id, kind) => {
    const known = listShippedEntries("resourcetypes").some((entry) => entry.id === id);
    expect(known).toBe(true);
    expect(kindOf(id)).toBe(kind);
  });

  test("a book without publisher is a booklet, and no entry has an abstract (interoperability 19)", () => {
    expect(kindOf("publication-book", complete, { publisher: "" })).toBe("booklet");
    expect(bibtexOf(presentedRecord(fullMetadata))).not.toMatch(/abstract/i);
  });

  test.each(["publication-article", "publication-conferencepaper", "publication-section"])(
    "%s without the field that its kind requires is @misc (interoperability 32)",
    (id) => {
      expect(kindOf(id, {})).toBe("misc");
    },
  );

  test.each([
    ["publication-dissertation", "phdthesis"],
    ["publication-report", "techreport"],
  ])("%s needs a school or publisher to be @%s (interoperability 32)", (id, kind) => {
    expect(kindOf(id, {}, { publisher: "Press" })).toBe(kind);
    expect(kindOf(id, {}, { publisher: "" })).toBe("misc");
  });
});

test("languages have two letters where such a code exists, and three otherwise (interoperability 20)", () => {
  const inLanguage = (id: string) =>
    presentedRecord({ ...fullMetadata, languages: [{ id, title: { en: id } }] } as never);
  for (const [id, code] of [
    ["deu", "de"],
    ["gsw", "gsw"],
  ] as const) {
    const record = inLanguage(id);
    expect(dataciteOf(record).language).toBe(code);
    expect(schemaOrgOf(record).inLanguage).toBe(code);
    expect(dublinCoreOf(record).xml).toContain(`<dc:language>${code}</dc:language>`);
    expect(cslOf(record).language ?? code).toBe(code);
  }
  // MARC 21 has three letters of its own.
  expect(marcOf(inLanguage("deu")).xml).toContain("deu");
});

test("DataCite JSON has `doi` and `alternateIdentifiers`, and not the forbidden `identifiers` (interoperability 29)", () => {
  const pids = { doi: { identifier: "10.5072/4d0ns-ntd89", provider: "datacite" } };
  const identifiers = [{ scheme: "ark", identifier: "ark:/12345/x" }];
  const links = { self_html: "http://127.0.0.1/records/4d0ns-ntd89" };
  const body = dataciteOf({ ...presentedRecord({ ...fullMetadata, identifiers } as never, { links }), pids } as never);
  expect(body).not.toHaveProperty("identifiers");
  expect(body.doi).toBe("10.5072/4d0ns-ntd89");
  expect(body.alternateIdentifiers).toEqual([
    { alternateIdentifier: "ark:/12345/x", alternateIdentifierType: "ARK" },
    { alternateIdentifier: links.self_html, alternateIdentifierType: "URL" },
  ]);
});
