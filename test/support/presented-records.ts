import { expandMetadata, validateMetadata } from "../../shared/metadata/metadata.schema.ts";
import { cleanHtml } from "../../shared/records/html-cleaner.ts";
import type { PresentedRecord } from "../../shared/representations/presented-record.ts";
import { findShippedEntry } from "../../shared/vocabularies/shipped-entries.ts";

const lookups = { findEntry: findShippedEntry, cleanHtml };

/** Metadata that uses every field of records 8. */
export const fullMetadata = {
  resource_type: { id: "image-photo" },
  title: "A photo & its <frame>: 100 % of {it}",
  publication_date: "2020-06-01",
  creators: [
    {
      person_or_org: {
        type: "personal",
        family_name: "Brown",
        given_name: "Troy",
        identifiers: [{ scheme: "orcid", identifier: "0000-0002-1825-0097" }],
      },
      affiliations: [{ id: "01ggx4157" }, { name: "Home" }],
    },
    { person_or_org: { type: "organizational", name: "Research & Sons" }, affiliations: [{ name: "Home" }] },
  ],
  contributors: [
    { person_or_org: { type: "personal", family_name: "Müller" }, role: { id: "editor" } },
    { person_or_org: { type: "personal", family_name: "Else" }, role: { id: "other" } },
  ],
  additional_titles: [{ title: "Ein Foto", type: { id: "translated-title" }, lang: { id: "deu" } }],
  description: "<p>Taken &amp; <b>developed</b>.</p><p>In a lab</p>",
  additional_descriptions: [{ description: "How it was done", type: { id: "methods" }, lang: { id: "eng" } }],
  publisher: "Carrel Press",
  version: "v1.2",
  languages: [{ id: "eng" }],
  subjects: [{ id: "ford-1.3" }, { subject: "frames" }],
  dates: [{ date: "2019/2020", type: { id: "collected" }, description: "in summer" }],
  rights: [{ id: "cc-by-4.0" }, { title: { en: "Own" }, link: "https://example.org/own" }],
  copyright: "© Troy",
  identifiers: [{ identifier: "978-3-16-148410-0", scheme: "isbn" }],
  related_identifiers: [
    { identifier: "10.1234/foo", scheme: "doi", relation_type: { id: "cites" }, resource_type: { id: "dataset" } },
    { identifier: "RRID:AB_90755", scheme: "rrid", relation_type: { id: "references" } },
  ],
  references: [{ reference: "Somebody, 1999" }],
  sizes: ["11 pages"],
  formats: ["application/pdf"],
  locations: {
    features: [
      { geometry: { type: "Point", coordinates: [6.05, 46.23] }, place: "CERN" },
      {
        geometry: {
          type: "Polygon",
          coordinates: [
            [
              [0, 0],
              [1, 0],
              [1, 1],
              [0, 0],
            ],
          ],
        },
      },
    ],
  },
  funding: [{ funder: { id: "00k4n6c32" }, award: { title: { en: "Award" }, number: "755021" } }],
};

/** The body of a published record with this metadata. @throws if it is invalid. */
export function presentedRecord(metadata: unknown, others: Partial<PresentedRecord> = {}): PresentedRecord {
  const base = "http://127.0.0.1:5000";
  return {
    id: "4d0ns-ntd89",
    created: "2020-06-02 10:00:00.000001",
    updated: "2020-06-03 10:00:00.000002",
    is_published: true,
    metadata: expandMetadata(validateMetadata(metadata, lookups).value, lookups),
    pids: { doi: { identifier: "10.5072/4d0ns-ntd89", provider: "datacite" } },
    access: { record: "public", files: "public", status: "open", embargo: { active: false } },
    versions: { index: 2 },
    links: { self: `${base}/api/records/4d0ns-ntd89`, self_html: `${base}/records/4d0ns-ntd89` },
    ...others,
  };
}
