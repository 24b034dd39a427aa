import { doiAddress } from "../identifiers/scheme.schema.ts";
import { customDetailsOf, pagesOf } from "./custom-details.ts";
import { placesOf } from "./datacite-places.ts";
import {
  type Agent,
  contributorsOf,
  creatorsOf,
  doiOf,
  languageCodeOf,
  type PresentedRecord,
  parentDoiOf,
  propertyOf,
  relatedWorksOf,
  textIn,
  textOfHtml,
  yearOf,
} from "./presented-record.ts";

const schemeNames: Record<string, [name: string, uri: string]> = {
  orcid: ["ORCID", "https://orcid.org"],
  ror: ["ROR", "https://ror.org"],
  isni: ["ISNI", "https://isni.org"],
  gnd: ["GND", "https://d-nb.info/gnd"],
};

/** The identifier types that DataCite 4.5 knows; others are omitted. */
const relatedTypes: Record<string, string> = {
  ark: "ARK",
  arxiv: "arXiv",
  ads: "bibcode",
  doi: "DOI",
  ean13: "EAN13",
  eissn: "EISSN",
  handle: "Handle",
  igsn: "IGSN",
  isbn: "ISBN",
  issn: "ISSN",
  istc: "ISTC",
  lissn: "LISSN",
  lsid: "LSID",
  pmid: "PMID",
  purl: "PURL",
  upc: "UPC",
  url: "URL",
  urn: "URN",
  w3id: "w3id",
};

/** Removes undefined values, empty lists and duplicate items. */
function compact<T extends Record<string, unknown>>(values: T): T {
  const kept = Object.entries(values).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(kept) as T;
}

function unique<T>(items: T[]): T[] {
  const known = new Map(items.map((item) => [JSON.stringify(item), item]));
  return [...known.values()];
}

const nameIdentifiersOf = (agent: Agent) =>
  unique(
    agent.identifiers.map(({ scheme, identifier }) => {
      const [nameIdentifierScheme = scheme.toUpperCase(), schemeUri] = schemeNames[scheme] ?? [];
      return compact({ nameIdentifier: identifier, nameIdentifierScheme, schemeUri });
    }),
  );

const agentOf = (agent: Agent) => ({
  ...compact({
    name: agent.name,
    nameType: agent.isPerson ? "Personal" : "Organizational",
    givenName: agent.given,
    familyName: agent.family,
    affiliation: unique(
      agent.affiliations.map(({ id, name }) =>
        id === undefined
          ? { name }
          : { name, affiliationIdentifier: `https://ror.org/${id}`, affiliationIdentifierScheme: "ROR" },
      ),
    ),
  }),
  // Clients read this list without asking whether it is there.
  nameIdentifiers: nameIdentifiersOf(agent),
});

interface Container {
  title?: string | undefined;
  identifier?: string | undefined;
  volume?: string | undefined;
  issue?: string | undefined;
  pages?: string | undefined;
  edition?: string | undefined;
}
interface Title {
  title: string;
  titleType?: string;
  lang?: string;
}
interface TypedDate {
  date: string;
  dateType: string;
  dateInformation?: string;
}
interface Description {
  description: string;
  descriptionType: string;
  lang?: string;
}

const langOf = (lang: { id: string } | undefined) => (lang ? languageCodeOf(lang.id) : undefined);

const titlesOf = ({ metadata }: PresentedRecord): Title[] => [
  ...(metadata.title ? [{ title: metadata.title }] : []),
  ...(metadata.additional_titles ?? []).flatMap(({ title, type, lang }) =>
    title
      ? [compact({ title, titleType: propertyOf("titletypes", type?.id, "datacite") ?? "Other", lang: langOf(lang) })]
      : [],
  ),
];

const datesOf = ({ metadata, updated }: PresentedRecord): TypedDate[] => [
  ...(metadata.publication_date ? [{ date: metadata.publication_date, dateType: "Issued" }] : []),
  ...(metadata.dates ?? []).flatMap(({ date, type, description }) => {
    const dateType = propertyOf("datetypes", type?.id, "datacite") ?? "Other";
    return date ? [compact({ date, dateType, dateInformation: description || undefined })] : [];
  }),
  { date: `${updated.slice(0, 19).replace(" ", "T")}Z`, dateType: "Updated" },
];

const descriptionsOf = ({ metadata }: PresentedRecord): Description[] => [
  ...(metadata.description ? [{ description: textOfHtml(metadata.description), descriptionType: "Abstract" }] : []),
  ...(metadata.additional_descriptions ?? []).flatMap(({ description, type, lang }) => {
    const descriptionType = propertyOf("descriptiontypes", type?.id, "datacite") ?? "Other";
    return description ? [compact({ description: textOfHtml(description), descriptionType, lang: langOf(lang) })] : [];
  }),
];

interface Right {
  rights?: string | undefined;
  rightsUri?: string | undefined;
  rightsIdentifier?: string | undefined;
  rightsIdentifierScheme?: string | undefined;
}

const rightsOf = ({ metadata }: PresentedRecord): Right[] => [
  ...(metadata.rights ?? []).map((right) => {
    const isSpdx = right.props?.scheme === "spdx";
    return compact({
      rights: textIn(right.title),
      rightsUri: right.props?.url ?? right.link,
      rightsIdentifier: isSpdx ? right.id : undefined,
      rightsIdentifierScheme: isSpdx ? "SPDX" : undefined,
    });
  }),
  ...(metadata.copyright ? [{ rights: textOfHtml(metadata.copyright) }] : []),
];

const relatedOf = (record: PresentedRecord) =>
  relatedWorksOf(record).flatMap(({ identifier, scheme, relation_type, resource_type }) => {
    const relatedIdentifierType = relatedTypes[scheme ?? ""];
    const relationType = propertyOf("relationtypes", relation_type?.id, "datacite");
    if (!identifier || !relatedIdentifierType || !relationType) return [];
    const resourceTypeGeneral = propertyOf("resourcetypes", resource_type?.id, "datacite_general");
    return [compact({ relatedIdentifier: identifier, relatedIdentifierType, relationType, resourceTypeGeneral })];
  });

/** The page of an award: its URL, else its DOI. */
function addressOfAward(identifiers: readonly { scheme?: string; identifier?: string }[]): string | undefined {
  const known = (wanted: string) => identifiers.find(({ scheme }) => scheme === wanted)?.identifier;
  const doi = known("doi");
  return known("url") ?? (doi === undefined ? undefined : doiAddress(doi));
}

const fundingOf = ({ metadata }: PresentedRecord) =>
  (metadata.funding ?? []).flatMap(({ funder, award }) => {
    if (!funder?.name) return [];
    return [
      compact({
        funderName: funder.name,
        funderIdentifier: funder.id === undefined ? undefined : `https://ror.org/${funder.id}`,
        funderIdentifierType: funder.id === undefined ? undefined : "ROR",
        awardNumber: award?.number || undefined,
        awardTitle: textIn(award?.title) || undefined,
        awardUri: addressOfAward(award?.identifiers ?? []),
      }),
    ];
  });

/** The journal or book that contains the work (DataCite 4.5, 20). */
function containersOf(record: PresentedRecord) {
  const { journal, imprint } = customDetailsOf(record);
  const container = (type: string, scheme: string, { title, identifier, pages, ...others }: Container) => {
    if (!title) return [];
    const { first, last } = pagesOf(pages);
    return [
      compact({
        relatedItemType: type,
        relationType: "IsPublishedIn",
        relatedItemIdentifier: identifier
          ? { relatedItemIdentifier: identifier, relatedItemIdentifierType: scheme }
          : undefined,
        titles: [{ title }],
        volume: others.volume,
        issue: others.issue,
        firstPage: first,
        lastPage: last,
        edition: others.edition,
      }),
    ];
  };
  return [
    ...container("Journal", "ISSN", { ...journal, identifier: journal.issn }),
    ...container("Book", "ISBN", { ...imprint, identifier: imprint.isbn }),
  ];
}

/** The record's own identifiers and the address of its page. */
function alternatesOf({ metadata, links }: PresentedRecord) {
  const own = (metadata.identifiers ?? []).flatMap(({ identifier, scheme = "other" }) =>
    identifier ? [{ alternateIdentifier: identifier, alternateIdentifierType: relatedTypes[scheme] ?? scheme }] : [],
  );
  const page = links?.self_html;
  return page === undefined ? own : [...own, { alternateIdentifier: page, alternateIdentifierType: "URL" }];
}

function typesOf({ metadata }: PresentedRecord) {
  const id = metadata.resource_type?.id;
  const resourceType = propertyOf("resourcetypes", id, "datacite_type") ?? "";
  return { resourceType, resourceTypeGeneral: propertyOf("resourcetypes", id, "datacite_general") ?? "Other" };
}

/** A record in DataCite's metadata schema 4.5, as JSON. Required fields that a draft lacks are `:unav`. */
export function dataciteOf(record: PresentedRecord) {
  const { metadata } = record;
  const [language] = metadata.languages ?? [];
  return compact({
    doi: doiOf(record),
    types: typesOf(record),
    creators: creatorsOf(record).map(agentOf),
    titles: unique(titlesOf(record)),
    publisher: { name: metadata.publisher || ":unav" },
    publicationYear: yearOf(record),
    subjects: unique(
      (metadata.subjects ?? []).flatMap(({ subject, scheme }) =>
        subject ? [compact({ subject, subjectScheme: scheme })] : [],
      ),
    ),
    contributors: contributorsOf(record).map((agent) => ({
      ...agentOf(agent),
      contributorType: propertyOf("contributorsroles", agent.roleId, "datacite") ?? "Other",
    })),
    dates: unique(datesOf(record)),
    language: language ? languageCodeOf(language.id) : undefined,
    alternateIdentifiers: unique(alternatesOf(record)),
    relatedIdentifiers: unique(relatedOf(record)),
    sizes: [...new Set(metadata.sizes ?? [])],
    formats: [...new Set(metadata.formats ?? [])],
    version: metadata.version || undefined,
    rightsList: unique(rightsOf(record)),
    descriptions: unique(descriptionsOf(record)),
    geoLocations: unique(placesOf(record)),
    fundingReferences: unique(fundingOf(record)),
    relatedItems: containersOf(record),
    schemaVersion: "http://datacite.org/schema/kernel-4",
  });
}

export type Datacite = ReturnType<typeof dataciteOf>;

/**
 * All versions as one work, described as its latest version (interoperability 13).
 * @param versions DOIs of the versions.
 */
export function dataciteOfAllVersions(latest: PresentedRecord, versions: readonly string[]) {
  const { version: _version, ...described } = dataciteOf(latest);
  const doi = parentDoiOf(latest);
  const related = (described.relatedIdentifiers ?? []).filter(({ relatedIdentifier }) => relatedIdentifier !== doi);
  const hasVersions = versions.map((identifier) => ({
    relatedIdentifier: identifier,
    relatedIdentifierType: "DOI",
    relationType: "HasVersion",
  }));
  const page = latest.links?.parent_html;
  const alternates = page === undefined ? [] : [{ alternateIdentifier: page, alternateIdentifierType: "URL" }];
  return compact({
    ...described,
    doi,
    alternateIdentifiers: alternates,
    relatedIdentifiers: [...related, ...hasVersions],
  });
}
