import { boundsOf } from "./datacite-places.ts";
import { identifierAddress } from "./identifier-address.ts";
import { doiOf, type PresentedRecord, propertyOf } from "./presented-record.ts";

/** Properties of schema.org for the relations of DataCite that it has a word for. */
const relations: Record<string, string> = {
  cites: "citation",
  references: "citation",
  isderivedfrom: "isBasedOn",
  isidenticalto: "sameAs",
  ispartof: "isPartOf",
  ispublishedin: "isPartOf",
  haspart: "hasPart",
};

/** The related works by property, each with its address. */
function relatedOf({ metadata }: PresentedRecord): Record<string, unknown[]> {
  const found: Record<string, unknown[]> = {};
  for (const { identifier = "", scheme, relation_type, resource_type } of metadata.related_identifiers ?? []) {
    const property = relations[relation_type?.id ?? ""];
    const address = identifierAddress(scheme, identifier);
    if (property === undefined || address === undefined) continue;
    const type = propertyOf("resourcetypes", resource_type?.id, "schema.org") ?? "https://schema.org/CreativeWork";
    const work = { "@type": type.replace("https://schema.org/", ""), "@id": address, url: address };
    const values = found[property] ?? [];
    found[property] = [...values, property === "sameAs" ? address : work];
  }
  return found;
}

const placesOf = ({ metadata }: PresentedRecord): Record<string, unknown>[] =>
  (metadata.locations?.features ?? []).flatMap(({ geometry, place }) => {
    const box = boundsOf(geometry?.coordinates ?? []);
    if (!box && !place) return [];
    const { southBoundLatitude: south, westBoundLongitude: west } = box ?? {};
    const { northBoundLatitude: north, eastBoundLongitude: east } = box ?? {};
    const isPoint = south === north && west === east;
    const shape = isPoint
      ? { "@type": "GeoCoordinates", latitude: south, longitude: west }
      : { "@type": "GeoShape", box: `${south} ${west} ${north} ${east}` };
    return [{ "@type": "Place", name: place || undefined, geo: box && shape }];
  });

/** Dates that tell about the time that the data cover. */
const periodTypes = new Set(["collected", "coverage"]);

const periodsOf = ({ metadata }: PresentedRecord): string[] =>
  (metadata.dates ?? []).flatMap(({ date, type }) => (date && periodTypes.has(type?.id ?? "") ? [date] : []));

/** Access rights of COAR, as OpenAIRE and Google Dataset Search read them. */
const accessRights: Record<string, string> = {
  open: "http://purl.org/coar/access_right/c_abf2",
  embargoed: "http://purl.org/coar/access_right/c_f1cf",
  restricted: "http://purl.org/coar/access_right/c_16ec",
  "metadata-only": "http://purl.org/coar/access_right/c_14cb",
};

/** The catalogue is the repository's first page, which describes itself under the same address. */
function catalogOf({ links }: PresentedRecord): Record<string, unknown> | undefined {
  const [, home] = /^(.*\/)records\//.exec(links?.self_html ?? "") ?? [];
  return home === undefined ? undefined : { "@type": "DataCatalog", "@id": home, url: home };
}

const someOf = <T>(values: T[]): T[] | undefined => (values.length === 0 ? undefined : values);

/** What a record has to do with other works, places, times and its catalogue, as schema.org (web 7). */
export function contextOf(record: PresentedRecord): { isPartOf?: unknown[]; [property: string]: unknown } {
  const { sameAs = [], ...related } = relatedOf(record);
  const doi = doiOf(record);
  const page = record.links?.self_html;
  return {
    ...related,
    sameAs: someOf([...(doi === undefined || page === undefined ? [] : [page]), ...sameAs]),
    spatialCoverage: someOf(placesOf(record)),
    temporalCoverage: someOf(periodsOf(record)),
    conditionsOfAccess: accessRights[record.access?.status ?? ""],
    includedInDataCatalog: catalogOf(record),
  };
}
