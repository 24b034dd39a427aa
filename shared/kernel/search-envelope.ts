import type { Hits } from "./hits.ts";

/** One page of a list (search-and-conventions 3). */
export interface Page<T> {
  hits: T[];
  /** The number of all matches. */
  total: number;
}

export interface EnvelopeInput<T> extends Omit<Page<T>, "hits"> {
  hits: Hits<T>;
  /** Absolute URL of the list, without a query. */
  url: string;
  page: number;
  size: number;
  sort: string;
  /** Further query parameters for the links, in order: `q`, filters. */
  parameters?: [string, string][];
  aggregations?: Record<string, unknown>;
  /** Whether the envelope has the page number: lists of records, requests and events. */
  showsPage?: boolean;
}

/** A page must start below this position. */
export const windowSize = 10_000;

/** Form encoding: keeps letters, digits and `* - . _`; a space becomes a plus. */
const formEncoded = (text: string): string =>
  encodeURIComponent(text)
    .replaceAll("%20", "+")
    .replace(/[!'()~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** `url?name=value…`, form-encoded. Sorts by name and keeps the order of repeated names. */
export function listUrl(url: string, parameters: [string, string][]): string {
  const sorted = [...parameters].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `${url}?${sorted.map(([name, value]) => `${formEncoded(name)}=${formEncoded(value)}`).join("&")}`;
}

/** The envelope of every list, with its links. */
export function envelope<T>(input: EnvelopeInput<T>): Record<string, unknown> {
  const { hits, total, page, size, sort } = input;
  const link = (target: number): string =>
    listUrl(input.url, [["page", String(target)], ["size", String(size)], ["sort", sort], ...(input.parameters ?? [])]);
  const links: Record<string, string> = { self: link(page) };
  if (page > 1 && (page - 2) * size < total) links.prev = link(page - 1);
  if (page * size < total && page * size < windowSize) links.next = link(page + 1);
  return {
    hits: { hits, total },
    ...(input.aggregations ? { aggregations: input.aggregations } : {}),
    sortBy: sort,
    ...(input.showsPage ? { page } : {}),
    links,
  };
}
