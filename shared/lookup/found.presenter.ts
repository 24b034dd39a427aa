import { isObject } from "../kernel/json.ts";
import type { FoundOrganisation, FoundPerson } from "./lookup.schema.ts";

type Json = Record<string, unknown>;
const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);
const inside = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((found, key) => (isObject(found) ? found[key] : undefined), value);
const maxText = 2000;
const textOf = (value: unknown): string => (typeof value === "string" ? value.trim().slice(0, maxText) : "");
const maxAffiliations = 20;

/** A person from a record of ORCID's public API; undefined without a name. Employments without an end are current. */
export function personFrom(orcid: string, body: unknown): FoundPerson | undefined {
  const name = (part: string) => textOf(inside(body, "person", "name", part, "value"));
  const [given, family] = [name("given-names"), name("family-name")];
  if (!given && !family) return undefined;
  const groups = listOf(inside(body, "activities-summary", "employments", "affiliation-group"));
  const employments = groups
    .flatMap(({ summaries }) => listOf(summaries))
    .map((summary) => summary["employment-summary"])
    .filter((employment) => inside(employment, "end-date") == null)
    .map((employment) => textOf(inside(employment, "organization", "name")))
    .filter(Boolean);
  return {
    orcid,
    // ORCID stores the only name of a person as the given name.
    family_name: family || given,
    given_name: family ? given : "",
    affiliations: [...new Set(employments)].slice(0, maxAffiliations),
  };
}

/** An organisation from ROR's API; undefined without a name. */
export function organisationFrom(ror: string, body: unknown): FoundOrganisation | undefined {
  const names = listOf(inside(body, "names"));
  const shown = names.find(({ types }) => Array.isArray(types) && types.includes("ror_display")) ?? names[0];
  const name = textOf(shown?.value);
  const [place] = listOf(inside(body, "locations"));
  const country = textOf(inside(place, "geonames_details", "country_name"));
  return name ? { ror, name, ...(country ? { country } : {}) } : undefined;
}

/** A work from an answer in CSL-JSON; undefined if it is none. */
export function workFrom(body: unknown): Json | undefined {
  const [item] = [body].flat();
  return isObject(item) && (typeof item.title === "string" || Array.isArray(item.title)) ? item : undefined;
}
