import {
  hasEan13CheckDigit,
  hasGndShape,
  hasIsbnCheckDigit,
  hasIsniCheckDigit,
  hasIssnCheckDigit,
  hasIstcCheckDigit,
  hasRorCheckDigits,
} from "./check-digits.schema.ts";

/** One identifier scheme (records 8.3). */
interface Scheme {
  /** The name in `Invalid <label> identifier.` */
  label: string;
  /** Absent: any non-empty text is valid, and the scheme is never detected. */
  isValid?(value: string): boolean;
  /** Stricter than `isValid`: whether a value without a scheme is detected as this one. */
  isDetected?(value: string): boolean;
  normalise?(value: string): string;
}

const without = (prefix: RegExp) => (value: string) => value.replace(prefix, "");
const matches = (pattern: RegExp) => (value: string) => pattern.test(value);

const orcidPrefix = /^(?:orcid:\s*|(?:https?:\/\/)?(?:www\.)?orcid\.org\/)/i;
const rorPrefix = /^(?:https?:\/\/)?(?:www\.)?ror\.org\//i;
const doiPrefix = /^(?:doi:\s*|(?:https?:\/\/)?(?:dx\.|www\.)?doi\.org\/)/i;
const isniPrefix = /^(?:isni:?\s*|(?:https?:\/\/)?(?:www\.)?isni\.org\/(?:isni\/)?)/i;
const issnPrefix = /^issn:?\s*/i;
const isbnPrefix = /^isbn(?:-1[03])?:?\s*/i;
const gndPrefix = /^(?:gnd:|(?:https?:\/\/)?d-nb\.info\/gnd\/)/i;

const plainOrcid = (value: string) => without(/\/$/)(without(orcidPrefix)(value));
const isIsni = (value: string) => hasIsniCheckDigit(without(isniPrefix)(value));
const isIssn = (value: string) => hasIssnCheckDigit(without(issnPrefix)(value));

const isOrcid = (value: string) =>
  /^\d{4}[\s-]?\d{4}[\s-]?\d{4}[\s-]?\d{3}[\dXx]$/.test(plainOrcid(value)) && hasIsniCheckDigit(plainOrcid(value));

/** ORCID ids are the ISNIs of two reserved blocks. */
function isInOrcidBlock(value: string): boolean {
  const number = Number(plainOrcid(value).replace(/[\s-]/g, "").slice(0, 15));
  return (number >= 15_000_000 && number <= 35_000_001) || (number >= 900_000_000_000 && number <= 900_100_000_000);
}

function normaliseOrcid(value: string): string {
  const digits = plainOrcid(value).replace(/[\s-]/g, "").toUpperCase();
  return [0, 4, 8, 12].map((start) => digits.slice(start, start + 4)).join("-");
}

/** A DOI that was copied out of an address bar, with its slash encoded. */
const encodedDoi = /^10\.\d+(?:\.\d+)*%2F/i;

function decoded(doi: string): string {
  try {
    return decodeURIComponent(doi);
  } catch {
    return "";
  }
}

/** A DOI without `doi:` and resolver, and decoded if its slash is encoded. Any other text stays. */
export function plainDoi(text: string): string {
  const doi = without(doiPrefix)(text);
  if (!encodedDoi.test(doi)) return doi;
  const plain = decoded(doi);
  // If the rest cannot be decoded, it is part of the DOI as it stands.
  return /^[^\s\p{Cc}]+$/u.test(plain) ? plain : doi.replace(/%2F/i, "/");
}

const isDoi = (value: string) => /^10\.\d+(?:\.\d+)*\/\S+$/.test(plainDoi(value));
const arxivPattern =
  /^(?:arxiv:\s*|(?:https?:\/\/)?arxiv\.org\/(?:abs|pdf)\/)?(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?\/\d{7})(?:v\d+)?$/i;
const handlePrefix = /^(?:hdl:\s*|(?:https?:\/\/)?hdl\.handle\.net\/)/i;
const isHandle = (value: string) => /^[^\s/:]+\/\S+$/.test(without(handlePrefix)(value));
const isCstr = matches(/^(?:cstr:\s*|(?:https?:\/\/)?(?:www\.)?cstr\.cn\/)?\d{5}\.\d{2}\.\S+$/i);

/** Every scheme of records 8.3, 8.2 and locations, in the order of detection. */
const schemes = {
  doi: { label: "DOI", isValid: isDoi, normalise: plainDoi },
  ark: { label: "ARK", isValid: matches(/^(?:https?:\/\/[^\s/]+\/)?ark:\/?[0-9bcdfghjkmnp-tv-xz]+\/\S+$/i) },
  orcid: {
    label: "ORCID",
    isValid: isOrcid,
    isDetected: (value) => isOrcid(value) && (orcidPrefix.test(value) || isInOrcidBlock(value)),
    normalise: normaliseOrcid,
  },
  ror: {
    label: "ROR",
    isValid: (value) => hasRorCheckDigits(without(rorPrefix)(value).toLowerCase()),
    normalise: (value) => without(rorPrefix)(value).toLowerCase(),
  },
  arxiv: { label: "arXiv", isValid: matches(arxivPattern) },
  ads: { label: "Bibcode", isValid: matches(/^(?:ads:\s*)?\d{4}[A-Za-z]\S{13}[A-Za-z.:]$/i) },
  handle: {
    label: "Handle",
    isValid: isHandle,
    isDetected: (value) => isHandle(value) && (handlePrefix.test(value) || /^\d+(?:\.\d+)*\//.test(value)),
  },
  purl: { label: "PURL", isValid: matches(/^(?:https?:\/\/)?(?:www\.)?purl\.[^\s/]+\/\S+$/i) },
  lsid: { label: "LSID", isValid: matches(/^urn:lsid:[^\s:]+(?::[^\s:]+){2,3}$/i) },
  isbn: { label: "ISBN", isValid: (value) => hasIsbnCheckDigit(without(isbnPrefix)(value)) },
  issn: { label: "ISSN", isValid: isIssn },
  eissn: { label: "EISSN", isValid: isIssn },
  lissn: { label: "LISSN", isValid: isIssn },
  isni: { label: "ISNI", isValid: isIsni },
  gnd: { label: "GND", isValid: (value) => hasGndShape(without(gndPrefix)(value)) },
  istc: { label: "ISTC", isValid: (value) => hasIstcCheckDigit(without(/^istc:\s*/i)(value)) },
  ean13: { label: "EAN13", isValid: hasEan13CheckDigit },
  cstr: { label: "CSTR", isValid: isCstr },
  rrid: {
    label: "RRID",
    isValid: matches(/^(?:rrid:\s*)?[A-Za-z]+[_:]\S+$/i),
    isDetected: matches(/^rrid:\s*[A-Za-z]+[_:]\S+$/i),
  },
  wikidata: {
    label: "Wikidata",
    isValid: matches(/^(?:wikidata:|https?:\/\/(?:www\.)?wikidata\.org\/(?:wiki|entity)\/)?Q\d+$/i),
  },
  pmid: {
    label: "PMID",
    isValid: matches(
      /^(?:pmid:\s*|https?:\/\/(?:www\.)?(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov\/pubmed)\/)?\d{1,9}\/?$/i,
    ),
  },
  urn: { label: "URN", isValid: matches(/^urn:[a-z0-9][a-z0-9-]{0,31}:\S+$/i) },
  url: { label: "URL", isValid: matches(/^(?:https?|ftp):\/\/[^\s/?#]+(?:[/?#]\S*)?$/i) },
  crossreffunderid: { label: "Crossref Funder ID" },
  grid: { label: "GRID" },
  igsn: { label: "IGSN" },
  upc: { label: "UPC" },
  w3id: { label: "W3ID" },
  geonames: { label: "GeoNames" },
  other: { label: "Other" },
} satisfies Record<string, Scheme>;

export type SchemeName = keyof typeof schemes;

/** The schemes of `identifiers`, `related_identifiers`, `references` and awards (records 8.3). */
export const workSchemes: readonly SchemeName[] = (Object.keys(schemes) as SchemeName[]).filter(
  (name) => !["orcid", "ror", "gnd", "geonames"].includes(name),
);
/** The schemes of persons and organisations (records 8.2). */
export const agentSchemes: readonly SchemeName[] = ["orcid", "isni", "gnd", "ror"];
/** The schemes of locations. */
export const placeSchemes: readonly SchemeName[] = ["wikidata", "geonames"];

const schemeOf = (name: SchemeName): Scheme => schemes[name];

/** `ORCID` for `orcid`: the name in messages. */
export const schemeLabel = (name: SchemeName): string => schemeOf(name).label;

/** Whether a non-empty text is a well-formed identifier of the scheme, check digits included. */
export const isValidIdentifier = (name: SchemeName, value: string): boolean =>
  value !== "" && (schemeOf(name).isValid?.(value) ?? true);

/** The stored form: ORCID with hyphens, ROR bare, DOI without resolver, all others as sent. */
export const normaliseIdentifier = (name: SchemeName, value: string): string =>
  schemeOf(name).normalise?.(value) ?? value;

/** The first allowed scheme that a value without a scheme matches. */
export function detectScheme(value: string, allowed: readonly SchemeName[]): SchemeName | undefined {
  const names = Object.keys(schemes) as SchemeName[];
  return names.find((name) => {
    const { isValid, isDetected } = schemeOf(name);
    return allowed.includes(name) && (isDetected ?? isValid)?.(value) === true;
  });
}

/** The address of a DOI, with what an address keeps for itself encoded: DOIs contain `<`, `>`, `#` and `?`, too. */
export const doiAddress = (doi: string): string =>
  `https://doi.org/${doi.replace(/[\s%"#<>?\\^`{|}]/g, encodeURIComponent)}`;
