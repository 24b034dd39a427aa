import { type Html, html, nothing } from "../pages/html.ts";
import type { Page } from "../pages/page-frame.ts";
import { beyondLast, pageLinks } from "../pages/page-links.ts";
import { words } from "../pages/words.ts";
import { facetList, filterChips } from "./facet-list.ts";
import type { Near } from "./near-searches.ts";
import type { RecordList } from "./record-list.ts";
import { resultRows, wordsIn } from "./result-rows.ts";
import type { SearchAddresses } from "./search-address.ts";

export const resultsATime = 20;
export const maxPages = 50;

const sorts = ["bestmatch", "newest", "oldest", "updated-desc", "mostviewed", "mostdownloaded"] as const;

/** The field above has the whole query. */
const maxTitle = 200;

function titleOf(query: string | undefined): string {
  if (query === undefined) return words.search.all;
  const letters = [...query];
  return words.search.of(letters.length > maxTitle ? `${letters.slice(0, maxTitle).join("")}…` : query);
}

function sortLinks({ request }: RecordList, addresses: SearchAddresses): Html {
  const offered = sorts.filter((sort) => sort !== "bestmatch" || request.q !== undefined);
  const links = offered.map(
    (sort) =>
      html`<li><a rel="nofollow" href="${addresses.sort(sort)}"${
        sort === request.sort ? html` aria-current="true"` : nothing
      }>${words.search.sorts[sort]}</a></li>`,
  );
  return html`<nav class="sorts" aria-label="${words.search.sort}"><ul>${links}</ul></nav>`;
}

function unknownFieldLine({ unknown }: Near, addresses: SearchAddresses): Html {
  if (!unknown) return nothing;
  const { field, meant } = unknown;
  return html`<p>${words.search.unknownField(field)}${
    meant
      ? html` <a rel="nofollow" href="${addresses.ofQuery(meant.query)}">${words.search.didYouMean(meant.field)}</a>`
      : nothing
  }</p>`;
}

/** Nothing was found: why, and searches that find something. */
function nothingFound(list: RecordList, addresses: SearchAddresses, near: Near): Html {
  const { request } = list;
  const hasFilters = [...request.filters.values()].some((values) => values.length > 0);
  if (!hasFilters && request.q === undefined) return html`<p>${words.home.empty}</p>`;
  const ways = [
    ...near.searches.map(
      ({ kind, query, count }) =>
        html`<li><a rel="nofollow" href="${addresses.ofQuery(query)}">${words.search.near[kind](count)}</a></li>`,
    ),
    ...(hasFilters ? [html`<li><a href="${addresses.withoutFilters}">${words.search.withoutFilters}</a></li>`] : []),
    ...(request.q === undefined
      ? []
      : [html`<li><a href="${addresses.withoutQuery}">${words.search.withoutQuery}</a></li>`]),
    html`<li><a href="${addresses.help}">${words.site["help/search"]}</a></li>`,
  ];
  return html`<p>${words.search.nothing}</p>${unknownFieldLine(near, addresses)}<ul class="ways">${ways}</ul>`;
}

/** One page of the results, or why there is none. */
function resultPart(list: RecordList, addresses: SearchAddresses, near: Near, pages: number): Html {
  const { request, records } = list;
  if (pages > 0 && request.page > pages) return beyondLast(request.page, pages, addresses.page);
  if (records.length === 0) return nothingFound(list, addresses, near);
  const rows = resultRows(records, wordsIn(request.q));
  return html`${sortLinks(list, addresses)}${rows}${pageLinks(request.page, pages, addresses.page)}`;
}

/**
 * The results of a search; without script.
 * @param isIndexed robots may list the page of all records, and no other: searches have no end.
 * @param near what to offer where nothing was found.
 */
export function searchPage(list: RecordList, addresses: SearchAddresses, isIndexed: boolean, near: Near): Page {
  const { request, total, aggregations } = list;
  const parts = { aggregations, request, addresses };
  const pages = Math.min(maxPages, Math.ceil(total / resultsATime));
  const facets = facetList(parts);
  const hasFacets = facets.html !== "";
  const more =
    request.page === maxPages && total > maxPages * resultsATime
      ? html`<p class="notice">${words.search.most}</p>`
      : nothing;
  const title = titleOf(request.q);
  return {
    title: request.page > 1 ? `${title} · ${words.search.page(request.page)}` : title,
    description: words.search.description,
    isIndexed,
    query: request.q ?? "",
    head: [html`<link rel="alternate" type="application/atom+xml" title="${title}" href="${addresses.feed}">`],
    body: html`<div class="search"><section class="found" aria-label="${words.search.results}"><h1>${title}</h1><p class="meta"><span>${words.records(total)}</span><a href="${addresses.feed}">${words.search.feed}</a>${
      hasFacets ? html`<a class="to-filters" href="#filters">${words.search.filters}</a>` : nothing
    }</p>${filterChips(parts)}${resultPart(list, addresses, near, pages)}${more}</section>${
      hasFacets
        ? html`<aside id="filters" class="facets" aria-label="${words.search.filters}">${facets}</aside>`
        : nothing
    }</div>`,
  };
}

/** A search that the server refuses, with the query kept in the field. */
export const refusedSearchPage = (query: string, reason: string): Page => ({
  title: words.search.refused,
  query,
  body: html`<div class="narrow"><h1>${words.search.refused}</h1><p>${reason}</p></div>`,
});

/** Pages after the last one that is offered. @param first address of the first page */
export const farPage = (query: string, first: string): Page => ({
  title: words.search.far,
  query,
  body: html`<div class="narrow"><h1>${words.search.far}</h1><p>${words.search.most} <a href="${first}">${words.search.toFirst}</a></p></div>`,
});
