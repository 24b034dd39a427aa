import { type Datacite, dataciteOf } from "./datacite.ts";
import type { PresentedRecord } from "./presented-record.ts";
import { type Children, element, parent, type XmlText } from "./xml.ts";

const namespaces = {
  xmlns: "http://datacite.org/schema/kernel-4",
  "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
  "xsi:schemaLocation": "http://datacite.org/schema/kernel-4 http://schema.datacite.org/meta/kernel-4.5/metadata.xsd",
};

type DataciteAgent = Datacite["creators"][number];

const agentParts = (kind: "creatorName" | "contributorName", agent: DataciteAgent): Children => [
  element(kind, agent.name, { nameType: agent.nameType }),
  element("givenName", agent.givenName),
  element("familyName", agent.familyName),
  ...(agent.nameIdentifiers ?? []).map(({ nameIdentifier, nameIdentifierScheme, schemeUri }) =>
    element("nameIdentifier", nameIdentifier, { nameIdentifierScheme, schemeURI: schemeUri }),
  ),
  ...(agent.affiliation ?? []).map(({ name, ...others }) => element("affiliation", name, others)),
];

const pointParts = ({ pointLongitude, pointLatitude }: { pointLongitude: number; pointLatitude: number }): Children => [
  element("pointLongitude", String(pointLongitude)),
  element("pointLatitude", String(pointLatitude)),
];

const placesOf = ({ geoLocations = [] }: Datacite): Children =>
  geoLocations.map(({ geoLocationPlace, geoLocationPoint, geoLocationBox, geoLocationPolygon }) =>
    parent("geoLocation", [
      element("geoLocationPlace", geoLocationPlace),
      geoLocationPoint && parent("geoLocationPoint", pointParts(geoLocationPoint)),
      geoLocationBox &&
        parent(
          "geoLocationBox",
          Object.entries(geoLocationBox).map(([name, bound]) => element(name, String(bound))),
        ),
      geoLocationPolygon &&
        parent(
          "geoLocationPolygon",
          geoLocationPolygon.map(({ polygonPoint }) => parent("polygonPoint", pointParts(polygonPoint))),
        ),
    ]),
  );

const fundingOf = ({ fundingReferences = [] }: Datacite): Children =>
  fundingReferences.map((one) =>
    parent("fundingReference", [
      element("funderName", one.funderName),
      element("funderIdentifier", one.funderIdentifier, { funderIdentifierType: one.funderIdentifierType }),
      element("awardNumber", one.awardNumber, { awardURI: one.awardUri }),
      element("awardTitle", one.awardTitle),
    ]),
  );

const alternatesOf = ({ alternateIdentifiers = [] }: Datacite): Children =>
  alternateIdentifiers.map(({ alternateIdentifier, alternateIdentifierType }) =>
    element("alternateIdentifier", alternateIdentifier, { alternateIdentifierType }),
  );

const relatedOf = ({ relatedIdentifiers = [] }: Datacite): Children =>
  relatedIdentifiers.map(({ relatedIdentifier, ...attributes }) =>
    element("relatedIdentifier", relatedIdentifier, attributes),
  );

const rightsOf = ({ rightsList = [] }: Datacite): Children =>
  rightsList.map(({ rights = "", rightsUri, rightsIdentifier, rightsIdentifierScheme }) =>
    element("rights", rights, { rightsURI: rightsUri, rightsIdentifier, rightsIdentifierScheme }),
  );

const relatedItemsOf = ({ relatedItems = [] }: Datacite): Children =>
  relatedItems.map(({ relatedItemType, relationType, relatedItemIdentifier: known, titles, ...item }) =>
    parent(
      "relatedItem",
      [
        known &&
          element("relatedItemIdentifier", known.relatedItemIdentifier, {
            relatedItemIdentifierType: known.relatedItemIdentifierType,
          }),
        parent(
          "titles",
          titles.map(({ title }) => element("title", title)),
        ),
        element("volume", item.volume),
        element("issue", item.issue),
        element("firstPage", item.firstPage),
        element("lastPage", item.lastPage),
        element("edition", item.edition),
      ],
      { relatedItemType, relationType },
    ),
  );

/** The DOI; otherwise the address of the record's page (web 8). */
function identifierOf(doi: string | undefined, page: string | undefined): XmlText | undefined {
  if (doi === undefined && page !== undefined) return element("identifier", page, { identifierType: "URL" });
  return element("identifier", doi ?? ":unav", { identifierType: "DOI" });
}

/** A record as a DataCite `resource`, metadata schema 4.5; empty lists are omitted. */
export function dataciteXmlOf(record: PresentedRecord): XmlText {
  const data = dataciteOf(record);
  const {
    titles = [],
    subjects = [],
    contributors = [],
    dates = [],
    descriptions = [],
    sizes = [],
    formats = [],
  } = data;
  const children: Children = [
    identifierOf(data.doi, record.links?.self_html),
    parent(
      "creators",
      (data.creators ?? []).map((one) => parent("creator", agentParts("creatorName", one))),
    ),
    parent(
      "titles",
      titles.map(({ title, titleType, lang }) => element("title", title, { titleType, "xml:lang": lang })),
    ),
    element("publisher", data.publisher.name),
    element("publicationYear", data.publicationYear ?? ":unav"),
    element("resourceType", data.types.resourceType, { resourceTypeGeneral: data.types.resourceTypeGeneral }),
    parent(
      "subjects",
      subjects.map(({ subject, subjectScheme }) => element("subject", subject, { subjectScheme })),
    ),
    parent(
      "contributors",
      contributors.map(({ contributorType, ...agent }) =>
        parent("contributor", agentParts("contributorName", agent), { contributorType }),
      ),
    ),
    parent(
      "dates",
      dates.map(({ date, ...attributes }) => element("date", date, attributes)),
    ),
    element("language", data.language),
    parent("alternateIdentifiers", alternatesOf(data)),
    parent("relatedIdentifiers", relatedOf(data)),
    parent(
      "sizes",
      sizes.map((size) => element("size", size)),
    ),
    parent(
      "formats",
      formats.map((format) => element("format", format)),
    ),
    element("version", data.version),
    parent("rightsList", rightsOf(data)),
    parent(
      "descriptions",
      descriptions.map(({ description, descriptionType, lang }) =>
        element("description", description, { descriptionType, "xml:lang": lang }),
      ),
    ),
    parent("geoLocations", placesOf(data)),
    parent("fundingReferences", fundingOf(data)),
    parent("relatedItems", relatedItemsOf(data)),
  ];
  return parent("resource", children, namespaces) ?? { xml: "" };
}
