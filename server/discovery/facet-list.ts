import { accessStatusTitles } from "../../shared/representations/access-status-words.ts";
import { textIn } from "../../shared/representations/presented-record.ts";
import type { Aggregation, Bucket } from "../../shared/search/facets.ts";
import type { SearchRequest } from "../../shared/search/search-parameters.ts";
import { findShippedEntry } from "../../shared/vocabularies/shipped-entries.ts";
import type { VocabularyType } from "../../shared/vocabularies/vocabulary.schema.ts";
import { type Html, html, nothing } from "../pages/html.ts";
import { countInWords, words } from "../pages/words.ts";
import type { SearchAddresses } from "./search-address.ts";

export interface FacetParts {
  aggregations: Record<string, Aggregation>;
  request: SearchRequest;
  addresses: SearchAddresses;
}

const order = ["resource_type", "access_status", "file_type", "language", "subject"] as const;
const yearName = "publication_date";
const shownSubtypes = 5;

/** The API names access statuses in English. */
const statusIn = (name: string, key: string): string | undefined =>
  name === "access_status" ? textIn(accessStatusTitles.get(key), words.language) : undefined;

/** A value and its subtypes, each a link that adds or removes it. Robots do not follow them. */
function facetValue(name: string, value: string, bucket: Bucket, addresses: SearchAddresses): Html {
  const { label, doc_count, is_selected, inner } = bucket;
  const within = (inner?.buckets ?? [])
    .filter((one) => one.is_selected || is_selected)
    .slice(0, shownSubtypes)
    .map((one) => facetValue(name, `${value}::${one.key}`, one, addresses));
  return html`<li><a rel="nofollow" href="${addresses.toggled(name, value)}"${
    is_selected ? html` aria-current="true"` : nothing
  }><span>${statusIn(name, bucket.key) ?? label}</span><span class="size">${countInWords(doc_count)}</span></a>${
    within.length > 0 ? html`<ul>${within}</ul>` : nothing
  }</li>`;
}

const barWidths = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
const [maxBars, chartWidth, chartHeight] = [24, 216, 40];

interface YearBar {
  first: number;
  last: number;
  count: number;
}

/** Years in bars of equal width, each starting at a multiple of its width. */
function yearBars(buckets: readonly Bucket[]): YearBar[] {
  const [first, last] = [Number(buckets[0]?.key), Number(buckets.at(-1)?.key)];
  const width = barWidths.find((one) => (last - first + 1) / one < maxBars) ?? 2000;
  const begin = Math.floor(first / width) * width;
  const bars: YearBar[] = [];
  for (let year = begin; year <= last; year += width) bars.push({ first: year, last: year + width - 1, count: 0 });
  for (const { key, doc_count } of buckets) {
    const bar = bars[Math.floor((Number(key) - begin) / width)];
    // A record counts in each year of its interval, so the fullest year represents the bar.
    if (bar) bar.count = width === 1 ? doc_count : Math.max(bar.count, doc_count);
  }
  return bars;
}

function yearsOf({ aggregations, addresses }: FacetParts): Html {
  const { buckets = [] } = aggregations[yearName] ?? {};
  const label = words.search.facets[yearName];
  const bars = yearBars(buckets);
  const [oldest, newest] = [bars[0], bars.at(-1)];
  if (!oldest || !newest || bars.length < 2) return nothing;
  const most = Math.max(...bars.map((bar) => bar.count));
  const step = chartWidth / bars.length;
  const shapes = bars.map((bar, at) => {
    if (bar.count === 0) return nothing;
    const height = Math.max(2, Math.round((bar.count / most) * chartHeight));
    const years = bar.first === bar.last ? String(bar.first) : `${bar.first}–${bar.last}`;
    const value = bar.first === bar.last ? String(bar.first) : `${bar.first}..${bar.last}`;
    const title = `${years}: ${words.records(bar.count)}`;
    const x = (at * step).toFixed(1);
    const width = (step - 1).toFixed(1);
    return html`<a rel="nofollow" href="${addresses.only(yearName, value)}" aria-label="${title}"><title>${title}</title><rect class="ground" x="${x}" width="${width}" height="${chartHeight}"/><rect x="${x}" y="${chartHeight - height}" width="${width}" height="${height}"/></a>`;
  });
  return html`<section aria-labelledby="facet-years"><h2 id="facet-years">${label}</h2><svg class="years" viewBox="0 0 ${chartWidth} ${chartHeight}" role="group" aria-label="${label}">${shapes}</svg><p class="meta ends"><span>${oldest.first}</span><span>${newest.last}</span></p></section>`;
}

/** All facets: values as links with counts, years as bars. */
export function facetList(parts: FacetParts): Html {
  const { aggregations, addresses } = parts;
  const lists = order.map((name) => {
    const { buckets = [] } = aggregations[name] ?? {};
    if (buckets.length === 0) return nothing;
    return html`<section aria-labelledby="facet-${name}"><h2 id="facet-${name}">${words.search.facets[name]}</h2><ul>${buckets.map(
      (bucket) => facetValue(name, bucket.key, bucket, addresses),
    )}</ul></section>`;
  });
  return html`${lists[0] ?? nothing}${yearsOf(parts)}${lists.slice(1)}`;
}

const vocabularies: Partial<Record<string, VocabularyType>> = { resource_type: "resourcetypes", language: "languages" };

/** The title of a filter's value, also when no record has it. */
function labelOf({ aggregations }: FacetParts, name: string, value: string): string {
  const key = value.split("::").at(-1) ?? value;
  const buckets = aggregations[name]?.buckets ?? [];
  const bucket = [...buckets, ...buckets.flatMap(({ inner }) => inner?.buckets ?? [])].find((one) => one.key === key);
  const vocabulary = vocabularies[name];
  const title = vocabulary && textIn(findShippedEntry(vocabulary, key)?.title, words.language);
  return statusIn(name, key) ?? bucket?.label ?? title ?? value.replace("..", "–");
}

/** The chosen filters; each link removes one. */
export function filterChips(parts: FacetParts): Html {
  const { request, addresses } = parts;
  const chosen = [...request.filters].flatMap(([name, values]) => values.map((value) => ({ name, value })));
  if (chosen.length === 0) return nothing;
  const chips = chosen.map(({ name, value }) => {
    const label = labelOf(parts, name, value);
    return html`<li><a rel="nofollow" class="chip" href="${addresses.toggled(name, value)}" aria-label="${words.search.remove(label)}">${label} ×</a></li>`;
  });
  const all =
    chosen.length > 1
      ? html`<li><a rel="nofollow" href="${addresses.withoutFilters}">${words.search.removeAll}</a></li>`
      : nothing;
  return html`<ul class="chips" aria-label="${words.search.chosen}">${chips}${all}</ul>`;
}
