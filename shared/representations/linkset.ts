import { servedType } from "../files/content-headers.ts";
import { doiAddress } from "../identifiers/scheme.schema.ts";
import { exportFormats } from "./export-formats.ts";
import { isOpen, listedFilesOf } from "./open-files.ts";
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

/** One item for each completed file, in the type that it is sent as. Without a list of open files: the archive of all. */
function itemsOf(record: PresentedRecord): Target[] {
  const archive = archiveOf(record);
  if (archive === undefined) return [];
  const items = listedFilesOf(record).map(({ address, mediaType, sizeBytes }) => {
    return { href: address, type: servedType(mediaType), length: sizeBytes };
  });
  if (items.length > 0) return items;
  return isOpen(record) ? [{ href: archive, type: "application/zip" }] : [];
}

/** Older and newer versions of a record (RFC 5829). */
export interface VersionLinks {
  /** Address of the latest version, unless this is it. */
  latest?: string | undefined;
  /** Address of the version before. */
  predecessor?: string | undefined;
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

const nameOfType = new Map(Object.entries(exportFormats).map(([name, { mediaType }]) => [mediaType, name]));
/** An export is known by its type with the profile, else by its type alone. */
const exportNameOf = (type: string): string | undefined => nameOfType.get(type) ?? nameOfType.get(bareType(type));

export interface LinksetOptions {
  /** The media types of a record. */
  types: readonly string[];
  /** Whether each export has an address of its own. Else all have that of the record, which negotiates. */
  hasPages?: boolean | undefined;
  versions?: VersionLinks;
}

/** Where the record is had in each type. */
function descriptionsOf({ links, is_published }: PresentedRecord, { types, hasPages }: LinksetOptions): Target[] {
  const { self, self_html: page } = links ?? {};
  if (self === undefined) return [];
  // Only published records are packed with their files, and have pages of exports.
  const isPublished = is_published !== false;
  return types
    .filter((mediaType) => mediaType !== linksetType && (isPublished || !mediaType.startsWith(zipType)))
    .map((mediaType) => {
      const name = hasPages && isPublished && page !== undefined ? exportNameOf(mediaType) : undefined;
      return described(name === undefined ? self : `${page}/export/${name}`, mediaType);
    });
}

/** FAIR Signposting of a record as a link set (RFC 9264): links of the page, of each file and of each description. */
export function linksetOf(record: PresentedRecord, options: LinksetOptions): Record<string, unknown> {
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
  const descriptions = descriptionsOf(record, options);
  const { latest, predecessor } = options.versions ?? {
    latest: record.versions?.is_latest === false ? links?.latest_html : undefined,
  };
  const items = itemsOf(record);
  const relations: Record<string, Target[]> = {
    author: authors,
    "cite-as": doi === undefined ? [] : [{ href: doiAddress(doi) }],
    describedby: descriptions,
    item: items,
    "latest-version": latest === undefined ? [] : [{ href: latest, type: "text/html" }],
    "predecessor-version": predecessor === undefined ? [] : [{ href: predecessor, type: "text/html" }],
    linkset: links?.self === undefined ? [] : [{ href: links.self, type: linksetType }],
    license: licences,
    type: [{ href: "https://schema.org/AboutPage" }, ...(type === undefined ? [] : [{ href: type }])],
  };
  const present = Object.entries(relations).filter(([, targets]) => targets.length > 0);
  const page = { href: anchor, type: "text/html" };
  const files = items.map(({ href }) => ({
    anchor: href,
    collection: [page],
    type: [{ href: "https://schema.org/MediaObject" }],
  }));
  const describing = [...new Set(descriptions.map(({ href }) => href))].map((href) => ({
    anchor: href,
    describes: [page],
  }));
  return { linkset: [{ anchor, ...Object.fromEntries(present) }, ...files, ...describing] };
}
