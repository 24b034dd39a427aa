import type { Hits } from "../kernel/hits.ts";
import { jsonType, vendorType } from "../kernel/negotiation.ts";
import { bibliographyOf } from "./bibliography.ts";
import { bibtexOf } from "./bibtex.ts";
import { cffOf } from "./cff.ts";
import { codemetaOf } from "./codemeta.ts";
import { cslOf } from "./csl.ts";
import { csvList, csvOf, fullTable, simpleTable, type Table } from "./csv.ts";
import { dataPackageOf } from "./data-package.ts";
import { dataciteOf } from "./datacite.ts";
import { dataciteXmlOf } from "./datacite-xml.ts";
import { dcatNamespaces, dcatOf } from "./dcat.ts";
import { dublinCoreOf } from "./dublin-core.ts";
import { geoJsonOf } from "./geo-json.ts";
import { linksetOf } from "./linkset.ts";
import { marcNamespace, marcOf } from "./marcxml.ts";
import type { PresentedRecord } from "./presented-record.ts";
import { jsonRepresentation, type Representation } from "./representation.ts";
import { risOf } from "./ris.ts";
import { crateProfile, crateZipType, roCrateOf } from "./ro-crate.ts";
import { schemaOrgOf } from "./schema-org.ts";
import { uiOf } from "./ui.ts";
import { type XmlText, xmlAround, xmlFile, xmlList } from "./xml.ts";

/** An XML format; a list has one root element with this name. */
const xmlRepresentation = (
  mediaType: string,
  toXml: (record: PresentedRecord) => XmlText,
  wrapper: { name: string; attributes?: Record<string, string> },
): Representation => ({
  mediaType,
  render: (record) => xmlFile(toXml(record)),
  renderList: (hits) => xmlList(wrapper.name, hits, toXml, wrapper.attributes),
});

/** A table; one record is a single row. */
const csvRepresentation = (mediaType: string, table: Table): Representation => ({
  mediaType,
  sentAs: `${mediaType}; charset=utf-8`,
  render: (record) => csvOf(table, record),
  renderList: (hits) => csvList(table, hits),
});

/** Texts separated by an empty line, or by another separator. */
async function* textList(
  hits: Hits<PresentedRecord>,
  toText: (record: PresentedRecord) => string,
  separator = "\n",
): AsyncGenerator<string> {
  let before = "";
  for await (const record of hits) {
    yield before + toText(record);
    before = separator;
  }
}

/** A text format in UTF-8. */
const textRepresentation = (
  mediaType: string,
  toText: (record: PresentedRecord) => string,
  separator?: string,
): Representation => ({
  mediaType,
  sentAs: `${mediaType}; charset=utf-8`,
  render: toText,
  renderList: (hits) => textList(hits, toText, separator),
});

const schemaOrgProfile = "https://schema.org/ http://www.w3.org/ns/json-ld#compacted";

/** Every media type of a record, in order of preference for wildcards (records 10). */
const representations: readonly Representation[] = [
  jsonRepresentation(jsonType, (record) => record),
  jsonRepresentation(vendorType, (record, { locale }) => ({ ...record, ui: uiOf(record, locale) })),
  jsonRepresentation("application/vnd.datacite.datacite+json", dataciteOf),
  {
    mediaType: "application/x-bibtex",
    render: bibtexOf,
    renderList: (hits) => textList(hits, bibtexOf),
  },
  jsonRepresentation("application/vnd.citationstyles.csl+json", cslOf),
  xmlRepresentation("application/x-dc+xml", dublinCoreOf, { name: "records" }),
  xmlRepresentation("application/vnd.datacite.datacite+xml", dataciteXmlOf, { name: "resources" }),
  xmlRepresentation("application/marcxml+xml", marcOf, { name: "collection", attributes: marcNamespace }),
  { ...jsonRepresentation("application/ld+json", schemaOrgOf), profile: schemaOrgProfile },
  {
    mediaType: "text/x-bibliography",
    sentAs: "text/plain; charset=utf-8",
    render: (record, { locale, style }) => `${bibliographyOf(record, locale, style)}\n`,
    renderList: (hits, _envelope, { locale, style }) =>
      textList(hits, (record) => `${bibliographyOf(record, locale, style)}\n`),
  },
  jsonRepresentation("application/linkset+json", (record, { hasPages }) =>
    linksetOf(record, { types: linkedTypes, hasPages }),
  ),
  {
    mediaType: "application/dcat+xml",
    render: (record) => xmlAround("rdf:RDF", dcatOf(record), dcatNamespaces),
    renderList: (hits) => xmlList("rdf:RDF", hits, dcatOf, dcatNamespaces),
  },
  jsonRepresentation("application/vnd.geo+json", geoJsonOf),
  textRepresentation("application/x-research-info-systems", risOf),
  textRepresentation("application/x-yaml", cffOf, "---\n"),
  jsonRepresentation("application/vnd.codemeta.ld+json", codemetaOf),
  jsonRepresentation("application/vnd.datapackage+json", dataPackageOf),
  {
    ...jsonRepresentation("application/ld+json", (record) => roCrateOf(record)),
    profile: `${crateProfile} ${crateProfile}/1.1`,
    sentAs: `application/ld+json;profile="${crateProfile}"`,
  },
  csvRepresentation("text/csv", simpleTable),
  csvRepresentation("application/vnd.inveniordm.v1.simple+csv", simpleTable),
  csvRepresentation("application/vnd.inveniordm.v1.full+csv", fullTable),
];

const nameOf = ({ mediaType, profile }: Representation): string =>
  profile === undefined ? mediaType : `${mediaType};profile="${profile}"`;

/** The `produces` of record, draft and search routes: media types, some with their profiles. */
export const recordTypes: readonly string[] = representations.map(nameOf);

/** The `Content-Type` of each of them, exactly as it is sent. */
export const sentTypes: readonly string[] = representations.map(({ mediaType, sentAs = mediaType }) => sentAs);

/** The types that the address of a published record offers, and that its link set lists. */
export const linkedTypes: readonly string[] = [...recordTypes, crateZipType];

/** The representation of a negotiated type. Without a profile, the first one of that type. */
export function representationOf(mediaType: string): Representation {
  const found = representations.find((one) => nameOf(one) === mediaType || one.mediaType === mediaType);
  if (!found) throw new Error(`no representation of type ${mediaType}`);
  return found;
}
