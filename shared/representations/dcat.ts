import { doiAddress } from "../identifiers/scheme.schema.ts";
import { boundsOf } from "./datacite-places.ts";
import { openFilesOf } from "./open-files.ts";
import {
  type Agent,
  addressOf,
  archiveOf,
  contributorsOf,
  creatorsOf,
  doiOf,
  type PresentedRecord,
  parentDoiOf,
  textIn,
  textOfHtml,
} from "./presented-record.ts";
import { element, parent, type XmlText } from "./xml.ts";

/** Prefixes of the vocabularies that DCAT 3 and its application profiles use. */
export const dcatNamespaces = {
  "xmlns:rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
  "xmlns:dcat": "http://www.w3.org/ns/dcat#",
  "xmlns:dct": "http://purl.org/dc/terms/",
  "xmlns:foaf": "http://xmlns.com/foaf/0.1/",
  "xmlns:skos": "http://www.w3.org/2004/02/skos/core#",
  "xmlns:owl": "http://www.w3.org/2002/07/owl#",
  "xmlns:xsd": "http://www.w3.org/2001/XMLSchema#",
};

/** A property whose value is a URL. */
const reference = (name: string, address: string | undefined): XmlText | undefined =>
  address === undefined ? undefined : element(name, "", { "rdf:resource": address });

function addressOfAgent({ identifiers }: Agent): string | undefined {
  const known = identifiers.find(({ scheme }) => scheme === "orcid" || scheme === "ror");
  return known && `https://${known.scheme}.org/${known.identifier}`;
}

const agentIn = (property: string, agent: Agent): XmlText | undefined =>
  parent(property, [
    parent(
      "rdf:Description",
      [
        reference("rdf:type", `http://xmlns.com/foaf/0.1/${agent.isPerson ? "Person" : "Organization"}`),
        element("foaf:name", agent.name),
        element("foaf:givenName", agent.given),
        element("foaf:familyName", agent.family),
      ],
      { "rdf:about": addressOfAgent(agent) },
    ),
  ]);

/** The RDF type of a date by its precision; undefined for an interval, which stays plain text. */
function dateTypeOf(date: string): string | undefined {
  const types: Record<number, string> = { 4: "gYear", 7: "gYearMonth", 10: "date" };
  const type = date.includes("/") ? undefined : types[date.length];
  return type && `${schemaTypes}${type}`;
}

const instant = (name: string, spaced: string): XmlText | undefined =>
  element(name, `${spaced.slice(0, 19).replace(" ", "T")}Z`, {
    "rdf:datatype": "http://www.w3.org/2001/XMLSchema#dateTime",
  });

const accessRights: Record<string, string> = {
  open: "http://publications.europa.eu/resource/authority/access-right/PUBLIC",
  "metadata-only": "http://publications.europa.eu/resource/authority/access-right/NON_PUBLIC",
  restricted: "http://publications.europa.eu/resource/authority/access-right/RESTRICTED",
  embargoed: "http://publications.europa.eu/resource/authority/access-right/RESTRICTED",
};

const isAddress = (text: string | undefined): text is string => text !== undefined && URL.canParse(text);

const languageAuthority = "http://publications.europa.eu/resource/authority/language/";
const mediaTypes = "https://www.iana.org/assignments/media-types/";
const schemaTypes = "http://www.w3.org/2001/XMLSchema#";

const distributionIn = (record: PresentedRecord, properties: (XmlText | undefined)[]): XmlText | undefined =>
  parent("dcat:distribution", [
    parent("dcat:Distribution", [reference("dcat:accessURL", record.links?.self_html), ...properties]),
  ]);

/** One for each open file. Files that are not open, or not listed, are one download. */
function distributionsOf(record: PresentedRecord): (XmlText | undefined)[] {
  const files = openFilesOf(record);
  if (files.length > 0) {
    return files.map(({ key, address, mediaType, sizeBytes }) =>
      distributionIn(record, [
        element("dct:title", key),
        reference("dcat:downloadURL", address),
        reference("dcat:mediaType", `${mediaTypes}${mediaType}`),
        element("dcat:byteSize", String(sizeBytes), { "rdf:datatype": `${schemaTypes}nonNegativeInteger` }),
      ]),
    );
  }
  const archive = archiveOf(record);
  if (archive === undefined) return [];
  const zip = reference("dcat:mediaType", `${mediaTypes}application/zip`);
  return [distributionIn(record, [reference("dcat:downloadURL", archive), zip])];
}

const wellKnownText = "http://www.opengis.net/ont/geosparql#wktLiteral";

/** Places with their name and the box around their geometry. */
const placesOf = ({ metadata }: PresentedRecord): (XmlText | undefined)[] =>
  (metadata.locations?.features ?? []).map(({ geometry, place }) => {
    const box = boundsOf(geometry?.coordinates ?? []);
    const [west, east] = [box?.westBoundLongitude, box?.eastBoundLongitude];
    const [south, north] = [box?.southBoundLatitude, box?.northBoundLatitude];
    const ring = [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ];
    const corners = ring.map((corner) => corner.join(" ")).join(", ");
    const text = box && (west === east && south === north ? `POINT(${west} ${south})` : `POLYGON((${corners}))`);
    const location = parent("dct:Location", [
      element("skos:prefLabel", place || undefined),
      element("dcat:bbox", text, { "rdf:datatype": wellKnownText }),
    ]);
    return location && parent("dct:spatial", [location]);
  });

/** The dates that tell about the time that the data cover. */
const periodTypes = new Set(["collected", "coverage"]);

const periodsOf = ({ metadata }: PresentedRecord): (XmlText | undefined)[] =>
  (metadata.dates ?? [])
    .filter(({ date, type }) => date && periodTypes.has(type?.id ?? ""))
    .map(({ date = "" }) => {
      const [start = "", end = start] = date.split("/");
      const bound = (name: string, day: string) => element(name, day || undefined, { "rdf:datatype": dateTypeOf(day) });
      const period = parent("dct:PeriodOfTime", [bound("dcat:startDate", start), bound("dcat:endDate", end)]);
      return period && parent("dct:temporal", [period]);
    });

/** A record as a `dcat:Dataset` in RDF/XML; the caller adds the root. */
export function dcatOf(record: PresentedRecord): XmlText {
  const { metadata } = record;
  const doi = doiOf(record);
  const parentDoi = parentDoiOf(record);
  const { publication_date: date } = metadata;
  const properties = [
    element("dct:identifier", doi === undefined ? record.id : doiAddress(doi)),
    element("dct:title", metadata.title),
    element("dct:description", metadata.description && textOfHtml(metadata.description)),
    ...creatorsOf(record).map((agent) => agentIn("dct:creator", agent)),
    ...contributorsOf(record).map((agent) => agentIn("dct:contributor", agent)),
    metadata.publisher
      ? parent("dct:publisher", [parent("foaf:Agent", [element("foaf:name", metadata.publisher)])])
      : undefined,
    element("dct:issued", date || undefined, { "rdf:datatype": date && dateTypeOf(date) }),
    instant("dct:modified", record.updated),
    reference("dct:isVersionOf", parentDoi && doiAddress(parentDoi)),
    element("owl:versionInfo", metadata.version || undefined),
    ...(metadata.languages ?? []).map(({ id }) => reference("dct:language", `${languageAuthority}${id.toUpperCase()}`)),
    ...(metadata.subjects ?? []).map(({ subject }) => element("dcat:keyword", subject)),
    ...(metadata.rights ?? []).map(({ props, link, title }) => {
      const address = [props?.url, link].find(isAddress);
      return address === undefined ? element("dct:rights", textIn(title)) : reference("dct:license", address);
    }),
    reference("dct:accessRights", accessRights[record.access?.status ?? ""]),
    reference("dcat:landingPage", record.links?.self_html),
    ...placesOf(record),
    ...periodsOf(record),
    ...distributionsOf(record),
  ];
  return parent("dcat:Dataset", properties, { "rdf:about": addressOf(record) }) ?? { xml: "" };
}
