import { listedFilesOf } from "./open-files.ts";
import { archiveOf, creatorsOf, doiOf, type PresentedRecord, propertyOf } from "./presented-record.ts";

interface Target {
  href: string;
  type?: string;
  profile?: string;
  length?: number;
}

const described = (href: string, type: string): Target => {
  const profile = /;profile="([^" ]+)/.exec(type)?.[1] ?? profiles[type];
  return { href, type: bareType(type), ...(profile === undefined ? {} : { profile }) };
};

/** One item for each completed file. Without a list of files: the archive of all. */
function itemsOf(record: PresentedRecord): Target[] {
  const archive = archiveOf(record);
  if (archive === undefined) return [];
  const items = listedFilesOf(record).map(({ address, mediaType, sizeBytes }) => {
    return { href: address, type: mediaType, length: sizeBytes };
  });
  return items.length > 0 ? items : [{ href: archive, type: "application/zip" }];
}

/** The schema that a type follows, where the type alone does not tell. */
const profiles: Record<string, string> = {
  "application/vnd.datacite.datacite+json": "http://datacite.org/schema/kernel-4",
  "application/vnd.datacite.datacite+xml": "http://datacite.org/schema/kernel-4",
  "application/x-dc+xml": "http://purl.org/dc/elements/1.1/",
  "application/marcxml+xml": "http://www.loc.gov/MARC21/slim",
};

/** Bare media types: a link target has no parameters. */
const bareType = (type: string): string => type.split(";")[0]?.trim() ?? type;

const linksetType = "application/linkset+json";
const zipType = "application/zip";

/**
 * FAIR Signposting of a record as a link set (RFC 9264): links of the page, of each file and of each description.
 * @param types the media types of a record.
 */
export function linksetOf(record: PresentedRecord, types: readonly string[]): Record<string, unknown> {
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
  // Only published records are packed with their files.
  const isPublished = record.is_published !== false;
  const descriptions =
    links?.self === undefined
      ? []
      : types
          .filter((mediaType) => mediaType !== linksetType && (isPublished || !mediaType.startsWith(zipType)))
          .map((mediaType) => described(links.self ?? "", mediaType));
  const items = itemsOf(record);
  const relations: Record<string, Target[]> = {
    author: authors,
    "cite-as": doi === undefined ? [] : [{ href: `https://doi.org/${doi}` }],
    describedby: descriptions,
    item: items,
    linkset: links?.self === undefined ? [] : [{ href: links.self, type: linksetType }],
    license: licences,
    type: [{ href: "https://schema.org/AboutPage" }, ...(type === undefined ? [] : [{ href: type }])],
  };
  const present = Object.entries(relations).filter(([, targets]) => targets.length > 0);
  const files = items.map(({ href }) => ({ anchor: href, collection: [{ href: anchor, type: "text/html" }] }));
  const describing =
    links?.self === undefined ? [] : [{ anchor: links.self, describes: [{ href: anchor, type: "text/html" }] }];
  return { linkset: [{ anchor, ...Object.fromEntries(present) }, ...files, ...describing] };
}
