import type { SearchRequest } from "../../shared/search/search-parameters.ts";

type Parameters = [name: string, value: string][];

/** The addresses of a search with one thing changed. */
export interface SearchAddresses {
  page(number: number): string;
  sort(name: string): string;
  /** With this value of a filter, or without it if it is chosen already. */
  toggled(name: string, value: string): string;
  /** With this value alone. */
  only(name: string, value: string): string;
  withoutFilters: string;
  withoutQuery: string;
  /** Another query, without filters. */
  ofQuery(query: string): string;
  help: string;
  feed: string;
}

const written = (path: string, parameters: Parameters): string => {
  const query = new URLSearchParams(parameters).toString();
  return query === "" ? path : `${path}?${query}`;
};

/** @param base start of addresses. @param defaultSort the order of this query without `sort`. */
export function searchAddresses(base: string, request: SearchRequest, defaultSort: string): SearchAddresses {
  const { parameters, filters, sort } = request;
  const path = `${base}/search`;
  const order: Parameters = sort === defaultSort ? [] : [["sort", sort]];
  const isFilter = ([name]: [string, string]): boolean => filters.has(name);
  const others = parameters.filter((one) => !isFilter(one));
  const without = (name: string, value: string): Parameters =>
    parameters.filter(([itsName, itsValue]) => itsName !== name || itsValue !== value);
  return {
    page: (number) =>
      written(path, [...parameters, ...order, ...(number > 1 ? ([["page", String(number)]] as Parameters) : [])]),
    sort: (name) => written(path, [...parameters, ...(name === defaultSort ? [] : ([["sort", name]] as Parameters))]),
    toggled(name, value) {
      const rest = without(name, value);
      const isChosen = rest.length < parameters.length;
      return written(path, [...rest, ...(isChosen ? [] : ([[name, value]] as Parameters)), ...order]);
    },
    only: (name, value) => written(path, [...parameters.filter(([one]) => one !== name), [name, value], ...order]),
    withoutFilters: written(path, [...others, ...order]),
    withoutQuery: written(
      path,
      parameters.filter(([name]) => name !== "q"),
    ),
    ofQuery: (query) => written(path, [["q", query]]),
    help: `${base}/help/search`,
    feed: written(`${base}/search.atom`, parameters),
  };
}
