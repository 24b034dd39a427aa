import { Ajv } from "ajv";

const words = (text: string) => ({ enum: text.trim().split(/\s+/) });
const text = { type: "string" };
const address = { type: "string", pattern: "^https?://" };
const listOf = (items: object, more = {}) => ({ type: "array", items, ...more });
const shape = (properties: object, required: string[] = []) => ({
  ...{ type: "object", properties, required, additionalProperties: false },
});

const general = words(`Audiovisual Book BookChapter Collection ComputationalNotebook ConferencePaper
  ConferenceProceeding DataPaper Dataset Dissertation Event Image Instrument InteractiveResource Journal JournalArticle
  Model OutputManagementPlan PeerReview PhysicalObject Preprint Report Service Software Sound Standard StudyRegistration
  Text Workflow Other`);
const relation = words(`IsCitedBy Cites IsCollectedBy Collects IsSupplementTo IsSupplementedBy IsContinuedBy Continues
  IsDescribedBy Describes HasMetadata IsMetadataFor HasVersion IsVersionOf IsNewVersionOf IsPartOf IsPreviousVersionOf
  IsPublishedIn HasPart IsReferencedBy References IsDocumentedBy Documents IsCompiledBy Compiles IsVariantFormOf
  IsOriginalFormOf IsIdenticalTo IsReviewedBy Reviews IsDerivedFrom IsSourceOf IsRequiredBy Requires IsObsoletedBy
  Obsoletes`);
const identifierType = words(
  "ARK arXiv bibcode DOI EAN13 EISSN Handle IGSN ISBN ISSN ISTC LISSN LSID PMID PURL UPC URL URN w3id",
);
const contributorType = words(`ContactPerson DataCollector DataCurator DataManager Distributor Editor HostingInstitution
  Producer ProjectLeader ProjectManager ProjectMember RegistrationAgency RegistrationAuthority RelatedPerson Researcher
  ResearchGroup RightsHolder Sponsor Supervisor WorkPackageLeader Other`);
const descriptionType = words("Abstract Methods SeriesInformation TableOfContents TechnicalInfo Other");
const dateType = words(
  "Accepted Available Copyrighted Collected Created Issued Submitted Updated Valid Withdrawn Other",
);

const longitude = { type: "number", minimum: -180, maximum: 180 };
const latitude = { type: "number", minimum: -90, maximum: 90 };
const point = shape({ pointLongitude: longitude, pointLatitude: latitude }, ["pointLongitude", "pointLatitude"]);
const sides = {
  ...{ westBoundLongitude: longitude, eastBoundLongitude: longitude },
  ...{ southBoundLatitude: latitude, northBoundLatitude: latitude },
};
const corner = shape({ polygonPoint: point, inPolygonPoint: point });

const nameIdentifier = { nameIdentifier: text, nameIdentifierScheme: text, schemeUri: address };
const affiliation = { name: text, affiliationIdentifier: text, affiliationIdentifierScheme: text, schemeUri: address };
const agent = {
  ...{ name: text, nameType: words("Organizational Personal"), givenName: text, familyName: text, lang: text },
  nameIdentifiers: listOf(shape(nameIdentifier, ["nameIdentifier", "nameIdentifierScheme"]), { uniqueItems: true }),
  affiliation: listOf(shape(affiliation, ["name"]), { uniqueItems: true }),
};
const title = { title: text, titleType: words("AlternativeTitle Subtitle TranslatedTitle Other"), lang: text };
const ofItem = shape({ relatedItemIdentifier: text, relatedItemIdentifierType: identifierType });

/** What DataCite's metadata schema 4.5 demands of its JSON form, as far as a record has it. */
const schema = shape(
  {
    doi: { type: "string", pattern: "^10.\\d{4,9}/[-._;()/:a-z0-9A-Z]+$" },
    types: shape({ resourceType: text, resourceTypeGeneral: general }, ["resourceTypeGeneral"]),
    creators: listOf(shape(agent, ["name"]), { minItems: 1 }),
    contributors: listOf(shape({ ...agent, contributorType }, ["name", "contributorType"])),
    titles: listOf(shape(title, ["title"]), { minItems: 1, uniqueItems: true }),
    publisher: shape({ name: text }, ["name"]),
    publicationYear: { type: "string", pattern: "^[0-9]{4}$" },
    subjects: listOf(shape({ subject: text, subjectScheme: text }, ["subject"]), { uniqueItems: true }),
    dates: listOf(shape({ date: text, dateType, dateInformation: text }, ["date", "dateType"]), { uniqueItems: true }),
    language: text,
    alternateIdentifiers: listOf(
      shape({ alternateIdentifier: text, alternateIdentifierType: text }, [
        "alternateIdentifier",
        "alternateIdentifierType",
      ]),
      { uniqueItems: true },
    ),
    relatedIdentifiers: listOf(
      shape(
        {
          relatedIdentifier: text,
          relatedIdentifierType: identifierType,
          relationType: relation,
          resourceTypeGeneral: general,
        },
        ["relatedIdentifier", "relatedIdentifierType", "relationType"],
      ),
    ),
    relatedItems: listOf(
      shape(
        {
          ...{ relatedItemType: general, relationType: relation, relatedItemIdentifier: ofItem },
          ...{ titles: listOf(shape(title, ["title"]), { minItems: 1 }), volume: text, issue: text, edition: text },
          ...{ firstPage: text, lastPage: text },
        },
        ["titles", "relatedItemType", "relationType"],
      ),
      { uniqueItems: true },
    ),
    sizes: listOf(text, { uniqueItems: true }),
    formats: listOf(text, { uniqueItems: true }),
    version: text,
    rightsList: listOf(
      shape({ rights: text, rightsUri: address, rightsIdentifier: text, rightsIdentifierScheme: text }),
      { uniqueItems: true },
    ),
    descriptions: listOf(
      shape({ description: text, descriptionType, lang: text }, ["description", "descriptionType"]),
      { uniqueItems: true },
    ),
    geoLocations: listOf(
      shape({
        geoLocationPlace: text,
        geoLocationPoint: point,
        geoLocationBox: shape(sides, Object.keys(sides)),
        geoLocationPolygon: listOf(corner, { minItems: 4 }),
      }),
      { uniqueItems: true },
    ),
    fundingReferences: listOf(
      shape(
        {
          ...{ funderName: text, funderIdentifier: text, awardNumber: text, awardUri: address, awardTitle: text },
          funderIdentifierType: { enum: ["ISNI", "GRID", "Crossref Funder ID", "ROR", "Other"] },
        },
        ["funderName"],
      ),
      { uniqueItems: true },
    ),
    schemaVersion: { const: "http://datacite.org/schema/kernel-4" },
  },
  ["creators", "titles", "publisher", "publicationYear", "types", "schemaVersion"],
);

const validate = new Ajv({ allErrors: true }).compile(schema);

/** What a DataCite JSON document does against the schema; empty for a valid one. */
export function dataciteFaults(document: unknown): string[] {
  validate(document);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
