import { readBoolean } from "../kernel/booleans.ts";
import { isLonger } from "../kernel/characters.ts";
import { Failure, invalid, type Problem } from "../kernel/failure.ts";
import { windowSize } from "../kernel/search-envelope.ts";

/** The query of a request: what express gives with the simple parser. */
export type QueryParameters = Record<string, unknown>;

/** The parameters that a list accepts (search 1, 2, 7, 8). */
export interface SearchRules {
  /** Names of the sort options, `bestmatch` among them where it is offered. */
  sorts: readonly string[];
  /** Used without `q`, and in place of `bestmatch` without `q`. */
  defaultSort: string;
  /** Used with `q` or `suggest`; absent: `bestmatch`. */
  defaultSortWithQuery?: string;
  defaultSize: number;
  /** A larger `size` is refused; absent: it acts as the window. */
  maxSize?: number;
  hasSuggest?: boolean;
  /** `page` and `size` are checked but without effect: always the first `defaultSize` (users). */
  isFixedPage?: boolean;
  /** Names of boolean parameters. */
  booleans?: readonly string[];
  /** Names of parameters that may be repeated: facet filters and plain filters. */
  filters?: readonly string[];
  /** The filters among them whose values are booleans in any spelling. */
  booleanFilters?: readonly string[];
  /** Refuses other values there; otherwise nothing matches them. */
  refusesOtherBooleans?: boolean;
}

/** The checked parameters of a list. */
export interface SearchRequest {
  q: string | undefined;
  suggest: string | undefined;
  /** The sort option that is used. */
  sort: string;
  page: number;
  /** The requested size, at most the window; `limit` is how many of them lie inside the window. */
  size: number;
  offset: number;
  limit: number;
  booleans: ReadonlyMap<string, boolean>;
  filters: ReadonlyMap<string, readonly string[]>;
  /** The other parameters of links, beside `page`, `size` and `sort`. */
  parameters: [string, string][];
}

export const queryLimit = 8192;
export const isTooLong = (text = ""): boolean => isLonger(text, queryLimit);

/**
 * Reads the parameters of a list (search 2).
 * @throws Failure 400 `A validation error occurred.` with an item for each bad `sort`, `page`, `size` and boolean;
 * 400 `Invalid querystring parameters.` outside the window, for a `q` over 8192 characters, and for `suggest` where
 * it is not offered or together with `q`.
 */
export function readSearch(query: QueryParameters, rules: SearchRules): SearchRequest {
  const q = textOf(query, "q");
  const suggest = textOf(query, "suggest");
  const refused = new Failure("search_limit", "Invalid querystring parameters.");
  if (isTooLong(q) || isTooLong(suggest)) throw refused;
  if (suggest !== undefined && (!rules.hasSuggest || q !== undefined)) throw refused;
  const problems: Problem[] = [];
  const sort = sortOf(first(query, "sort"), rules, q !== undefined || suggest !== undefined, problems);
  const page = positive(query, "page", 1, problems);
  const requestedSize = positive(query, "size", rules.defaultSize, problems);
  const isSizeRead = !problems.some(({ field }) => field === "size");
  if (rules.maxSize !== undefined && isSizeRead && requestedSize > rules.maxSize) {
    problems.push({ field: "size", messages: [`Page size cannot be greater than ${rules.maxSize}.`] });
  }
  const booleans = booleansOf(query, rules.booleans ?? [], problems);
  if (rules.refusesOtherBooleans) {
    const isOther = (name: string) => all(query, name).some((value) => readBoolean(value) === undefined);
    problems.push(...(rules.booleanFilters ?? []).filter(isOther).map(notBoolean));
  }
  if (problems.length > 0) throw invalid(problems);
  const size = Math.min(requestedSize, windowSize);
  if ((page - 1) * size >= windowSize) throw refused;
  const paging = rules.isFixedPage ? { page: 1, size: rules.defaultSize } : { page, size };
  const offset = (paging.page - 1) * paging.size;
  const filters = new Map(
    (rules.filters ?? []).map((name): [string, string[]] => [name, filterOf(query, name, rules)]),
  );
  const parameters: [string, string][] = [
    ...(q === undefined ? [] : [["q", q] satisfies [string, string]]),
    ...(suggest === undefined ? [] : [["suggest", suggest] satisfies [string, string]]),
    ...[...booleans].map(([name, value]): [string, string] => [name, String(value)]),
    ...[...filters].flatMap(([name, values]) => values.map((value): [string, string] => [name, value])),
  ];
  const limit = Math.min(paging.size, windowSize - offset);
  return { q, suggest, sort, ...paging, offset, limit, booleans, filters, parameters };
}

function all(query: QueryParameters, name: string): string[] {
  const value = query[name];
  const values = Array.isArray(value) ? value : [value];
  return values.filter((item): item is string => typeof item === "string");
}

const first = (query: QueryParameters, name: string): string | undefined => all(query, name)[0];

function filterOf(query: QueryParameters, name: string, { booleanFilters = [] }: SearchRules): string[] {
  const values = all(query, name);
  if (!booleanFilters.includes(name)) return values;
  return values.map((value) => String(readBoolean(value) ?? value));
}

/** Empty or white space only is absent. */
function textOf(query: QueryParameters, name: string): string | undefined {
  const value = first(query, name);
  return value === undefined || value.trim() === "" ? undefined : value;
}

function sortOf(requested: string | undefined, rules: SearchRules, hasQuery: boolean, problems: Problem[]): string {
  const name = requested ?? (hasQuery ? (rules.defaultSortWithQuery ?? "bestmatch") : rules.defaultSort);
  if (!rules.sorts.includes(name)) {
    problems.push({ field: "_schema", messages: [`Invalid sort option '${name}'.`] });
  }
  return name === "bestmatch" && !hasQuery ? rules.defaultSort : name;
}

function positive(query: QueryParameters, name: string, absent: number, problems: Problem[]): number {
  const text = first(query, name);
  if (text === undefined) return absent;
  if (!/^\s*[+-]?\d+\s*$/.test(text)) problems.push({ field: name, messages: ["Not a valid integer."] });
  else if (Number(text) < 1) problems.push({ field: name, messages: ["Must be greater than or equal to 1."] });
  return Number(text);
}

const notBoolean = (field: string): Problem => ({ field, messages: ["Not a valid boolean."] });

function booleansOf(query: QueryParameters, names: readonly string[], problems: Problem[]): Map<string, boolean> {
  const booleans = new Map<string, boolean>();
  for (const name of names) {
    const text = first(query, name);
    if (text === undefined) continue;
    const value = readBoolean(text);
    if (value === undefined) problems.push(notBoolean(name));
    else booleans.set(name, value);
  }
  return booleans;
}
