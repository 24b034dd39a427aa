import { type CustomDetails, customDetailsOf } from "./custom-details.ts";
import { type ListedFile, openFilesOf } from "./open-files.ts";
import {
  type Agent,
  addressOf,
  archiveOf,
  contributorsOf,
  creatorsOf,
  doiOf,
  languageCodeOf,
  type PresentedRecord,
  parentDoiOf,
  propertyOf,
  textIn,
  textOfHtml,
} from "./presented-record.ts";
import { contextOf } from "./schema-org-context.ts";

const identifierAddresses: Record<string, string> = {
  orcid: "https://orcid.org/",
  ror: "https://ror.org/",
  isni: "https://isni.org/isni/",
  gnd: "https://d-nb.info/gnd/",
};

function addressOfAgent({ identifiers }: Agent): string | undefined {
  const [known] = identifiers.flatMap(({ scheme, identifier }) => {
    const start = identifierAddresses[scheme];
    return start === undefined
      ? []
      : [`${start}${identifier.replace(/[\s-]/g, (sign) => (scheme === "isni" ? "" : sign))}`];
  });
  return known;
}

const agentOf = (agent: Agent) => ({
  "@type": agent.isPerson ? "Person" : "Organization",
  "@id": addressOfAgent(agent),
  // Search engines show it as it is.
  name: [agent.given, agent.family].filter(Boolean).join(" ") || agent.name,
  givenName: agent.given,
  familyName: agent.family,
  affiliation:
    agent.affiliations.length === 0
      ? undefined
      : agent.affiliations.map(({ id, name }) => ({
          "@type": "Organization",
          ...(id === undefined ? {} : { "@id": `https://ror.org/${id}` }),
          name,
        })),
});

const licencesOf = ({ metadata }: PresentedRecord) =>
  (metadata.rights ?? []).flatMap(({ props, link, title }) => props?.url ?? link ?? textIn(title) ?? []);

const fundingOf = ({ metadata }: PresentedRecord): Record<string, unknown>[] =>
  (metadata.funding ?? []).flatMap(({ funder, award }): Record<string, unknown>[] => {
    if (!funder?.name) return [];
    const organisation = {
      "@type": "Organization",
      ...(funder.id === undefined ? {} : { "@id": `https://ror.org/${funder.id}` }),
      name: funder.name,
    };
    if (!award) return [organisation];
    return [{ "@type": "Grant", identifier: award.number, name: textIn(award.title), funder: organisation }];
  });

const emptyAsAbsent = <T>(items: T[]): T[] | undefined => (items.length === 0 ? undefined : items);

/** The journal issue or book that contains the work. */
function containerOf({ journal, imprint }: CustomDetails): Record<string, unknown> | undefined {
  if (journal.title) {
    const periodical = { "@type": "Periodical", name: journal.title, issn: journal.issn };
    const volume = journal.volume
      ? { "@type": "PublicationVolume", volumeNumber: journal.volume, isPartOf: periodical }
      : periodical;
    return journal.issue ? { "@type": "PublicationIssue", issueNumber: journal.issue, isPartOf: volume } : volume;
  }
  return imprint.title ? { "@type": "Book", name: imprint.title, isbn: imprint.isbn } : undefined;
}

function customOf(record: PresentedRecord): Record<string, unknown> {
  const details = customDetailsOf(record);
  const { journal, imprint, meeting, thesis } = details;
  const organisation = (name: string | undefined) => (name ? { "@type": "Organization", name } : undefined);
  return {
    isPartOf: containerOf(details),
    pagination: journal.pages ?? imprint.pages,
    bookEdition: imprint.edition,
    isbn: imprint.title ? undefined : imprint.isbn,
    releasedEvent: meeting.title
      ? { "@type": "Event", name: meeting.title, location: meeting.place, url: meeting.url }
      : undefined,
    sourceOrganization: organisation(thesis.university),
    inSupportOf: thesis.type,
    codeRepository: details.repository,
    programmingLanguage: emptyAsAbsent(details.programmingLanguages),
    creativeWorkStatus: details.developmentStatus,
  };
}

const downloadOf = ({ key, address, mediaType, sizeBytes }: ListedFile) => ({
  "@type": "DataDownload",
  name: key,
  contentUrl: address,
  encodingFormat: mediaType,
  contentSize: String(sizeBytes),
});

const maxDownloads = 100;

/** Each open file. Search engines need no long list: of more files, the archive of all is the one download. */
function downloadsOf(record: PresentedRecord): Record<string, unknown>[] {
  const files = openFilesOf(record);
  if (files.length <= maxDownloads) return files.map(downloadOf);
  return [{ "@type": "DataDownload", contentUrl: archiveOf(record), encodingFormat: "application/zip" }];
}

/** The only value itself; several as a list. */
const oneOrAll = (values: unknown[]): unknown => (values.length > 1 ? values : values[0]);

/** A record as schema.org in JSON-LD, for search engines. */
export function schemaOrgOf(record: PresentedRecord): Record<string, unknown> {
  const { metadata } = record;
  const doi = doiOf(record);
  const parentDoi = parentDoiOf(record);
  const type =
    propertyOf("resourcetypes", metadata.resource_type?.id, "schema.org") ?? "https://schema.org/CreativeWork";
  const keywords = (metadata.subjects ?? []).flatMap(({ subject }) => (subject ? [subject] : []));
  const [language] = metadata.languages ?? [];
  const { isPartOf: containing = [], ...context } = contextOf(record);
  const { isPartOf: container, ...customs } = customOf(record);
  const description = {
    "@context": "https://schema.org",
    "@id": addressOf(record),
    "@type": type.replace("https://schema.org/", ""),
    identifier: doi === undefined ? record.links?.self_html : `https://doi.org/${doi}`,
    url: record.links?.self_html,
    name: metadata.title,
    headline: metadata.title,
    alternateName: emptyAsAbsent((metadata.additional_titles ?? []).flatMap(({ title }) => title ?? [])),
    description: metadata.description ? textOfHtml(metadata.description) : undefined,
    datePublished: metadata.publication_date?.split("/").find(Boolean),
    dateCreated: record.created.replace(" ", "T").replace(/(?<=\.\d{6})$/, "Z"),
    dateModified: record.updated.replace(" ", "T").replace(/(?<=\.\d{6})$/, "Z"),
    creator: emptyAsAbsent(creatorsOf(record).map(agentOf)),
    author: emptyAsAbsent(creatorsOf(record).map(agentOf)),
    contributor: emptyAsAbsent(contributorsOf(record).map(agentOf)),
    publisher: metadata.publisher ? { "@type": "Organization", name: metadata.publisher } : undefined,
    version: metadata.version || undefined,
    exampleOfWork: parentDoi && { "@type": "CreativeWork", "@id": `https://doi.org/${parentDoi}` },
    inLanguage: language ? languageCodeOf(language.id) : undefined,
    keywords: emptyAsAbsent(keywords),
    license: emptyAsAbsent(licencesOf(record)),
    funding: emptyAsAbsent(fundingOf(record)),
    ...context,
    ...customs,
    isPartOf: oneOrAll(container ? [container, ...containing] : containing),
    distribution: emptyAsAbsent(downloadsOf(record)),
    isAccessibleForFree: record.access?.status === "open",
  };
  // Removes undefined members, so that the object equals the JSON that is sent.
  return JSON.parse(JSON.stringify(description)) as Record<string, unknown>;
}
