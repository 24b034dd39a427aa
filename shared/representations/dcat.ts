import {
  type Agent,
  addressOf,
  archiveOf,
  contributorsOf,
  creatorsOf,
  doiOf,
  languageCodeOf,
  type PresentedRecord,
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
  return type && `http://www.w3.org/2001/XMLSchema#${type}`;
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

/** The files as one download; undefined without files. */
function distributionOf(record: PresentedRecord): XmlText | undefined {
  const archive = archiveOf(record);
  if (archive === undefined) return undefined;
  return parent("dcat:distribution", [
    parent("dcat:Distribution", [
      reference("dcat:accessURL", record.links?.self_html),
      reference("dcat:downloadURL", archive),
      reference("dcat:mediaType", "https://www.iana.org/assignments/media-types/application/zip"),
    ]),
  ]);
}

/** A record as a `dcat:Dataset` in RDF/XML; the caller adds the root. */
export function dcatOf(record: PresentedRecord): XmlText {
  const { metadata } = record;
  const doi = doiOf(record);
  const { publication_date: date } = metadata;
  const properties = [
    element("dct:identifier", doi === undefined ? record.id : `https://doi.org/${doi}`),
    element("dct:title", metadata.title),
    element("dct:description", metadata.description && textOfHtml(metadata.description)),
    ...creatorsOf(record).map((agent) => agentIn("dct:creator", agent)),
    ...contributorsOf(record).map((agent) => agentIn("dct:contributor", agent)),
    metadata.publisher
      ? parent("dct:publisher", [parent("foaf:Agent", [element("foaf:name", metadata.publisher)])])
      : undefined,
    element("dct:issued", date || undefined, { "rdf:datatype": date && dateTypeOf(date) }),
    instant("dct:modified", record.updated),
    element("owl:versionInfo", metadata.version || undefined),
    ...(metadata.languages ?? []).map(({ id }) => element("dct:language", languageCodeOf(id))),
    ...(metadata.subjects ?? []).map(({ subject }) => element("dcat:keyword", subject)),
    ...(metadata.rights ?? []).map(({ props, link, title }) => {
      const address = [props?.url, link].find(isAddress);
      return address === undefined ? element("dct:rights", textIn(title)) : reference("dct:license", address);
    }),
    reference("dct:accessRights", accessRights[record.access?.status ?? ""]),
    reference("dcat:landingPage", record.links?.self_html),
    distributionOf(record),
  ];
  return parent("dcat:Dataset", properties, { "rdf:about": addressOf(record) }) ?? { xml: "" };
}
