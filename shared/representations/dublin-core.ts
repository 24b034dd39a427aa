import { doiAddress } from "../identifiers/scheme.schema.ts";
import { identifierAddress } from "./identifier-address.ts";
import {
  contributorsOf,
  creatorsOf,
  doiOf,
  languageCodeOf,
  type PresentedRecord,
  propertyOf,
  relatedWorksOf,
  textIn,
  textOfHtml,
} from "./presented-record.ts";
import { type Children, element, parent, type XmlText } from "./xml.ts";

const namespaces = {
  "xmlns:dc": "http://purl.org/dc/elements/1.1/",
  "xmlns:oai_dc": "http://www.openarchives.org/OAI/2.0/oai_dc/",
  "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
  "xsi:schemaLocation": "http://www.openarchives.org/OAI/2.0/oai_dc/ http://www.openarchives.org/OAI/2.0/oai_dc.xsd",
};

const semantics = "info:eu-repo/semantics/";

const accessRights: Record<string, string> = {
  open: `${semantics}openAccess`,
  embargoed: `${semantics}embargoedAccess`,
  restricted: `${semantics}restrictedAccess`,
  "metadata-only": `${semantics}closedAccess`,
};

/** The type as a term of the OpenAIRE vocabulary, and as text. */
function typesOf({ metadata }: PresentedRecord): (string | undefined)[] {
  const { id, title } = metadata.resource_type ?? {};
  if (id === undefined) return [];
  return [`${semantics}${propertyOf("resourcetypes", id, "eurepo") ?? "other"}`, title?.en ?? id];
}

function identifiersOf(record: PresentedRecord): (string | undefined)[] {
  const doi = doiOf(record);
  const others = (record.metadata.identifiers ?? []).map(({ identifier }) => identifier);
  return [doi && doiAddress(doi), record.links?.self_html, ...others];
}

function rightsOf({ metadata, access }: PresentedRecord): (string | undefined)[] {
  const licences = (metadata.rights ?? []).flatMap(({ title, props, link }) => [textIn(title), props?.url ?? link]);
  const copyright = metadata.copyright && textOfHtml(metadata.copyright);
  return [accessRights[access?.status ?? ""], ...licences, copyright];
}

function elementsOf(record: PresentedRecord): Record<string, (string | undefined)[]> {
  const { metadata, access } = record;
  const embargoEnd = access?.embargo?.active ? access.embargo.until : undefined;
  return {
    title: [metadata.title, ...(metadata.additional_titles ?? []).map(({ title }) => title)],
    creator: creatorsOf(record).map(({ name }) => name),
    subject: (metadata.subjects ?? []).map(({ subject }) => subject),
    description: [
      metadata.description,
      ...(metadata.additional_descriptions ?? []).map(({ description }) => description),
    ].map((html) => html && textOfHtml(html)),
    publisher: [metadata.publisher],
    contributor: contributorsOf(record).map(({ name }) => name),
    date: [metadata.publication_date, embargoEnd && `info:eu-repo/date/embargoEnd/${embargoEnd}`],
    type: typesOf(record),
    format: [...(metadata.formats ?? []), ...(metadata.sizes ?? [])],
    identifier: identifiersOf(record),
    language: (metadata.languages ?? []).map(({ id }) => languageCodeOf(id)),
    relation: relatedWorksOf(record).map(({ scheme, identifier }) =>
      identifier === undefined ? undefined : (identifierAddress(scheme, identifier) ?? identifier),
    ),
    coverage: (metadata.locations?.features ?? []).map(({ place }) => place),
    rights: rightsOf(record),
  };
}

/** A record as `oai_dc:dc`: the root of a file, or one of a list. */
export function dublinCoreOf(record: PresentedRecord): XmlText {
  const children: Children = Object.entries(elementsOf(record)).flatMap(([name, values]) =>
    values.map((value) => element(`dc:${name}`, value || undefined)),
  );
  return parent("oai_dc:dc", [...children, element("dc:source", record.links?.self)], namespaces) ?? { xml: "" };
}
