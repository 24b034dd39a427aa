import { Failure } from "./failure.ts";

export const jsonType = "application/json";
export const vendorType = "application/vnd.inveniordm.v1+json";
/** The types of routes for records, requests, users and groups that answer only JSON; both have the same body. */
export const jsonTypes: readonly string[] = [jsonType, vendorType];

interface Range {
  type: string;
  /** Values by lower-case name, without quotes. */
  parameters: ReadonlyMap<string, string>;
  quality: number;
  order: number;
}

/** Splits a header at a character, except inside quoted strings. */
function splitOutsideQuotes(text: string, separator: string): string[] {
  const parts = [""];
  let isQuoted = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    if (character === separator && !isQuoted) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts;
}

/** A media type with its parameters. */
function readMediaType(text: string): Pick<Range, "type" | "parameters"> {
  const [type = "", ...rest] = splitOutsideQuotes(text, ";");
  const parameters = new Map<string, string>();
  for (const parameter of rest) {
    const [, name, value = ""] = /^\s*([^\s=]+)\s*=(.*)$/.exec(parameter) ?? [];
    if (name !== undefined) parameters.set(name.toLowerCase(), value.trim().replace(/^"(.*)"$/, "$1"));
  }
  return { type: type.trim().toLowerCase(), parameters };
}

function qualityIn(parameters: ReadonlyMap<string, string>): number {
  const q = parameters.get("q");
  return q !== undefined && /^[0-9.]+$/.test(q) ? Number(q) : 1;
}

const rangesOf = (accept: string): Range[] =>
  splitOutsideQuotes(accept, ",")
    .map((part, order) => {
      const range = readMediaType(part);
      return { ...range, quality: qualityIn(range.parameters), order };
    })
    .filter(({ type }) => type !== "");

/** Profiles are compared without their scheme and a slash at the end, since clients write both forms. */
const profilesOf = (parameters: ReadonlyMap<string, string>): string[] =>
  (parameters.get("profile") ?? "")
    .split(/\s+/)
    .filter(Boolean)
    .map((profile) => profile.replace(/^https?:\/\//, "").replace(/\/$/, ""));

interface Offer {
  name: string;
  type: string;
  profiles: readonly string[];
}

const knownOffers = new Map<string, Offer>();

function offerOf(name: string): Offer {
  const known = knownOffers.get(name);
  if (known) return known;
  const { type, parameters } = readMediaType(name);
  const offer = { name, type, profiles: profilesOf(parameters) };
  knownOffers.set(name, offer);
  return offer;
}

const isWild = (type: string): boolean => type.endsWith("/*") || type === "*";

/** A range with a profile fits an offered type that has one of its profiles, or that has none at all. */
function matches({ type: range, parameters }: Range, { type, profiles }: Offer): boolean {
  if (range === "*/*" || range === "*") return true;
  if (range.endsWith("/*")) return type.startsWith(range.slice(0, -1));
  if (range !== type) return false;
  const wished = profilesOf(parameters);
  return wished.length === 0 || profiles.length === 0 || wished.some((profile) => profiles.includes(profile));
}

/**
 * The offered type that fits an `Accept` header best. An exact type wins over a wildcard whatever the q-values
 * (search-and-conventions 11); a wildcard gives the first offered type that it covers. An offered type may have a
 * `profile` parameter with several profiles.
 * @throws Failure 406 when nothing fits.
 */
export function negotiate(accept: string | undefined, offered: readonly string[]): string {
  const first = offered[0];
  if (first === undefined) throw new Error("a route must offer a type");
  if (accept === undefined || accept.trim() === "") return first;
  const all = rangesOf(accept).sort((a, b) => b.quality - a.quality || a.order - b.order);
  const ranges = all.filter(({ quality }) => quality > 0);
  // A type with quality 0 is refused, even if a wildcard permits it.
  const refused = new Set(all.filter(({ quality }) => !(quality > 0)).map(({ type }) => type));
  const exact = ranges.filter(({ type }) => !isWild(type));
  const offers = offered.map(offerOf).filter(({ type }) => !refused.has(type));
  for (const range of [...exact, ...ranges.filter(({ type }) => isWild(type))]) {
    const found = offers.find((offer) => matches(range, offer));
    if (found !== undefined) return found.name;
  }
  throw new Failure("not_acceptable", `Invalid 'Accept' header. Expected one of: ${offered.join(", ")}`);
}

/** The parameters of exactly this type in an `Accept` header, such as `style`; empty when the header does not name it. */
export function parametersOf(accept: string | undefined, type: string): ReadonlyMap<string, string> {
  const [best] = rangesOf(accept ?? "")
    .filter((range) => range.type === type)
    .sort((a, b) => b.quality - a.quality);
  return best?.parameters ?? new Map();
}

/** The quality of exactly this type in an `Accept` header; 0 when the header does not name it. */
export function qualityOf(accept: string | undefined, type: string): number {
  return Math.max(0, ...rangesOf(accept ?? "").map((range) => (range.type === type ? range.quality : 0)));
}

/** Whether `Accept` names the type of pages, as browsers do. Programs such as wget name none. */
export const namesPages = (accept: string | undefined): boolean =>
  ["text/html", "application/xhtml+xml"].some((type) => qualityOf(accept, type) > 0);
