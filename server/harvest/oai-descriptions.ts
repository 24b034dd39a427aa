import type { Collection } from "../../shared/collections/collection.policy.ts";
import { type Children, element, parent, type XmlText } from "../../shared/representations/xml.ts";
import { findShippedEntry } from "../../shared/vocabularies/shipped-entries.ts";
import { collectionSpec, isCollectionSet } from "./collection-sets.ts";
import { oaiTime } from "./oai-arguments.ts";
import type { OaiFormat } from "./oai-formats.ts";
import type { OaiSite } from "./oai-site.ts";

const oaiIdentifier = "http://www.openarchives.org/OAI/2.0/oai-identifier";

/** The scheme of the identifiers. It asks for a domain name. */
function identifierScheme({ namespace, identifierOf }: OaiSite): XmlText | undefined {
  if (!namespace.includes(".")) return undefined;
  const parts = [
    element("scheme", "oai"),
    element("repositoryIdentifier", namespace),
    element("delimiter", ":"),
    element("sampleIdentifier", identifierOf({ record_id: "q5h2n-3kw41" })),
  ];
  const attributes = {
    xmlns: oaiIdentifier,
    "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
    "xsi:schemaLocation": `${oaiIdentifier} ${oaiIdentifier}.xsd`,
  };
  return parent("description", [parent("oai-identifier", parts, attributes)]);
}

/** The content of `Identify`. @param earliest microseconds UTC. */
export const identityOf = (site: OaiSite, earliest: number): Children => [
  element("repositoryName", site.name),
  element("baseURL", site.baseUrl),
  element("protocolVersion", "2.0"),
  element("adminEmail", site.contact),
  element("earliestDatestamp", oaiTime(earliest)),
  element("deletedRecord", "persistent"),
  element("granularity", "YYYY-MM-DDThh:mm:ssZ"),
  element("compression", "gzip"),
  identifierScheme(site),
];

/** The content of `ListMetadataFormats`. */
export const formatsIn = (formats: readonly OaiFormat[]): Children =>
  formats.map(({ prefix, schema, namespace }) =>
    parent("metadataFormat", [
      element("metadataPrefix", prefix),
      element("schema", schema),
      element("metadataNamespace", namespace),
    ]),
  );

const fixedSets: Record<string, string> = { latest: "Latest versions", "access:open": "Open access" };

function nameOfSet(spec: string): string {
  const type = spec.slice(spec.indexOf(":") + 1);
  return fixedSets[spec] ?? findShippedEntry("resourcetypes", type)?.title?.en ?? type;
}

/** The content of `ListSets`. @param known the sets that have items. */
export function setsIn(collections: readonly Collection[], known: readonly string[]): Children {
  const others = [...new Set([...Object.keys(fixedSets), ...known.filter((spec) => !isCollectionSet(spec))])];
  const names = [
    ...others.map((spec) => [spec, nameOfSet(spec)] as const),
    ...collections.map(({ slug, title }) => [collectionSpec(slug), title] as const),
  ];
  return names.map(([spec, name]) => parent("set", [element("setSpec", spec), element("setName", name)]));
}
