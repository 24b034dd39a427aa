import type { Json } from "./call.ts";
import { type Field, object, text } from "./loader.ts";

interface Scheme {
  label: string;
  valid: (value: string) => boolean;
  normal?: (value: string) => string;
}

function isOrcid(value: string): boolean {
  const digits = value.replace(/^https?:\/\/orcid\.org\//, "").replaceAll("-", "");
  if (!/^\d{15}[\dX]$/.test(digits)) return false;
  let sum = 0;
  for (const digit of digits.slice(0, 15)) sum = (sum + Number(digit)) * 2;
  return "0123456789X"[(12 - (sum % 11)) % 11] === digits[15];
}

const orcid: Scheme = {
  label: "ORCID",
  valid: isOrcid,
  normal: (value) =>
    value
      .replace(/^https?:\/\/orcid\.org\//, "")
      .replaceAll("-", "")
      .replace(/(.{4})(?=.)/g, "$1-"),
};
const ror: Scheme = {
  label: "ROR",
  valid: (value) => /^(https?:\/\/)?(ror\.org\/)?0[a-z0-9]{6}\d{2}$/i.test(value),
  normal: (value) => value.replace(/^(https?:\/\/)?ror\.org\//i, "").toLowerCase(),
};
const doi: Scheme = {
  label: "DOI",
  valid: (value) => /^(doi:\s*|(https?:\/\/)?(dx\.)?doi\.org\/)?10\.\d+(\.\d+)*\/\S+$/i.test(value),
  normal: (value) => value.replace(/^(doi:\s*|(https?:\/\/)?(dx\.)?doi\.org\/)/i, ""),
};
const url: Scheme = { label: "URL", valid: (value) => /^(https?|ftp):\/\/\S+\.?\S*$/i.test(value) };
const anyValue = (label: string): Scheme => ({ label, valid: () => true });

const people: Record<string, Scheme> = {
  orcid,
  isni: { label: "ISNI", valid: (value) => /^(\d{4}[ -]?){3}\d{3}[\dX]$/.test(value) },
  gnd: { label: "GND", valid: (value) => /^(gnd:|https?:\/\/d-nb\.info\/gnd\/)?[\dX-]+$/i.test(value) },
  ror,
};
const things: Record<string, Scheme> = {
  doi,
  arxiv: { label: "arXiv", valid: (value) => /^(arxiv:)?(\d{4}\.\d{4,5}|[a-z.-]+\/\d{7})(v\d+)?$/i.test(value) },
  handle: {
    label: "Handle",
    valid: (value) => /^(hdl:\s*|https?:\/\/hdl\.handle\.net\/)?[^/.]+(\.[^/.]+)*\/.+$/i.test(value),
  },
  isbn: { label: "ISBN", valid: (value) => /^(\d[ -]?){9}[\dX]$|^(\d[ -]?){13}$/.test(value) },
  issn: { label: "ISSN", valid: (value) => /^\d{4}-?\d{3}[\dX]$/i.test(value) },
  pmid: { label: "PMID", valid: (value) => /^(pmid:\s*)?\d+$/i.test(value) },
  url,
  urn: { label: "URN", valid: (value) => /^urn:[a-z0-9-]+:/i.test(value) },
  ...Object.fromEntries(
    [
      "ark",
      "ads",
      "crossreffunderid",
      "cstr",
      "ean13",
      "eissn",
      "grid",
      "igsn",
      "isni",
      "istc",
      "lissn",
      "lsid",
      "purl",
      "raid",
      "swh",
      "upc",
      "w3id",
      "other",
    ].map((name) => [name, anyValue(name)]),
  ),
};
/** Order in which a scheme is recognised where none is named. */
const detected = ["doi", "orcid", "ror", "arxiv", "isbn", "issn", "handle", "url", "urn"];

function detect(value: unknown, schemes: Record<string, Scheme>): string | undefined {
  if (typeof value !== "string" || value === "") return undefined;
  return detected.find((name) => schemes[name]?.valid(value.trim()));
}

function check(schemes: Record<string, Scheme>, data: Json, isRequired: boolean): Record<string, string> {
  const { identifier, scheme } = data as { identifier?: string; scheme?: string };
  if (!isRequired && !identifier && !scheme) return {};
  const broken: Record<string, string> = {};
  const known = scheme === undefined ? undefined : schemes[scheme];
  if (!scheme)
    broken.scheme = identifier ? "No valid scheme recognized for identifier." : "Missing data for required field.";
  else if (!known) broken.scheme = "Invalid scheme.";
  if (!identifier) broken.identifier = "Missing data for required field.";
  else if (known && !known.valid(identifier)) broken.identifier = `Invalid ${known.label} identifier.`;
  return broken;
}

interface Rest {
  fields?: Record<string, Field>;
  required?: readonly string[];
  isRequired?: boolean;
  rule?: (data: Json) => Record<string, string>;
}

/** An identifier whose scheme is found where none is named; it loses resolver and prefix (F6). */
function identifierOf(
  schemes: Record<string, Scheme>,
  { fields = {}, required, isRequired = true, rule }: Rest = {},
): Field {
  return object({
    fields: { identifier: text(), scheme: text(), ...fields },
    ...(required ? { required } : {}),
    prepare: (data) => {
      const scheme = data.scheme || detect(data.identifier, schemes);
      return scheme ? { ...data, scheme } : data;
    },
    rule: (data) => ({ ...check(schemes, data, isRequired), ...rule?.(data) }),
    finish: (data) => {
      const { identifier, scheme } = data as { identifier?: string; scheme: string };
      return identifier ? { ...data, identifier: schemes[scheme]?.normal?.(identifier) ?? identifier } : data;
    },
  });
}

export const personIdentifier = identifierOf(people);
export const identifier = identifierOf(things);
export const relatedIdentifier = (vocabulary: Field): Field =>
  identifierOf(things, {
    fields: { relation_type: vocabulary, resource_type: vocabulary },
    rule: (data): Record<string, string> =>
      data.relation_type ? {} : { relation_type: "Missing data for required field." },
  });
export const reference: Field = identifierOf(things, {
  fields: { reference: text() },
  required: ["reference"],
  isRequired: false,
});
export const placeIdentifier = identifierOf({ wikidata: anyValue("Wikidata"), geonames: anyValue("GeoNames") });
