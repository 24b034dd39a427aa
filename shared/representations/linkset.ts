import { archiveOf, creatorsOf, doiOf, type PresentedRecord, propertyOf } from "./presented-record.ts";

interface Target {
  href: string;
  type?: string;
}

/** Media types of a record (records 10), as `describedby` targets. */
const describingTypes = [
  "application/json",
  "application/vnd.datacite.datacite+json",
  "application/ld+json",
  "application/x-dc+xml",
  "application/x-bibtex",
];

/** FAIR Signposting of a record as a link set (RFC 9264). */
export function linksetOf(record: PresentedRecord): Record<string, unknown> {
  const { metadata, links } = record;
  const anchor = links?.self_html ?? record.id;
  const doi = doiOf(record);
  const authors = creatorsOf(record).flatMap(({ identifiers }) =>
    identifiers.flatMap(({ scheme, identifier }): Target[] =>
      scheme === "orcid" ? [{ href: `https://orcid.org/${identifier}` }] : [],
    ),
  );
  const licences = (metadata.rights ?? []).flatMap(({ props, link }): Target[] => {
    const href = props?.url ?? link;
    return href === undefined ? [] : [{ href }];
  });
  const type = propertyOf("resourcetypes", metadata.resource_type?.id, "schema.org");
  const archive = archiveOf(record);
  const relations: Record<string, Target[]> = {
    author: authors,
    "cite-as": doi === undefined ? [] : [{ href: `https://doi.org/${doi}` }],
    describedby:
      links?.self === undefined
        ? []
        : describingTypes.map((mediaType) => ({ href: links.self ?? "", type: mediaType })),
    item: archive === undefined ? [] : [{ href: archive, type: "application/zip" }],
    license: licences,
    type: [{ href: "https://schema.org/AboutPage" }, ...(type === undefined ? [] : [{ href: type }])],
  };
  const present = Object.entries(relations).filter(([, targets]) => targets.length > 0);
  return { linkset: [{ anchor, ...Object.fromEntries(present) }] };
}
