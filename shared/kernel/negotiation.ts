import { Failure } from "./failure.ts";

export const jsonType = "application/json";
export const vendorType = "application/vnd.inveniordm.v1+json";
/** The types of routes for records, requests, users and groups that answer only JSON; both have the same body. */
export const jsonTypes: readonly string[] = [jsonType, vendorType];

interface Range {
  type: string;
  quality: number;
  order: number;
}

function rangesOf(accept: string): Range[] {
  return accept
    .split(",")
    .map((part, order) => {
      const [type = "", ...parameters] = part.trim().toLowerCase().split(";");
      const q = parameters
        .map((text) => /^\s*q\s*=\s*([0-9.]+)\s*$/.exec(text)?.[1])
        .find((text) => text !== undefined);
      return { type: type.trim(), quality: q === undefined ? 1 : Number(q), order };
    })
    .filter(({ type }) => type !== "");
}

const isWild = (type: string): boolean => type.endsWith("/*") || type === "*";

function matches(range: string, offered: string): boolean {
  if (range === "*/*" || range === "*") return true;
  return range.endsWith("/*") ? offered.startsWith(range.slice(0, -1)) : range === offered;
}

/**
 * The offered type that fits an `Accept` header best. An exact type wins over a wildcard whatever the q-values
 * (search-and-conventions 11); a wildcard gives the first offered type that it covers.
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
  for (const { type } of [...exact, ...ranges.filter(({ type }) => isWild(type))]) {
    const found = offered.find((candidate) => matches(type, candidate) && !refused.has(candidate));
    if (found !== undefined) return found;
  }
  throw new Failure("not_acceptable", `Invalid 'Accept' header. Expected one of: ${offered.join(", ")}`);
}

/** The quality of exactly this type in an `Accept` header; 0 when the header does not name it. */
export function qualityOf(accept: string | undefined, type: string): number {
  return Math.max(0, ...rangesOf(accept ?? "").map((range) => (range.type === type ? range.quality : 0)));
}
