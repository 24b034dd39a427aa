import type { Bucket } from "../../api-client/record-types.ts";

export interface YearBar {
  first: number;
  last: number;
  count: number;
}

export interface YearRange {
  from: number;
  to: number;
}

const widths = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
const maxBars = 40;

/** Groups years into about forty bars or fewer, of equal width, each starting at a multiple of its width. */
export function yearBars(buckets: Bucket[]): YearBar[] {
  const years = buckets.map(({ key, doc_count }) => ({ year: Number(key), count: doc_count }));
  const [first, last] = [years[0]?.year, years.at(-1)?.year];
  if (first === undefined || last === undefined) return [];
  const width = widths.find((one) => (last - first + 1) / one <= maxBars) ?? 2000;
  const begin = Math.floor(first / width) * width;
  const bars: YearBar[] = [];
  for (let year = begin; year <= last; year += width) bars.push({ first: year, last: year + width - 1, count: 0 });
  for (const { year, count } of years) {
    const bar = bars[Math.floor((year - begin) / width)];
    // A record counts in each year of its interval, so the fullest year represents the bar.
    if (bar) bar.count = width === 1 ? count : Math.max(bar.count, count);
  }
  return bars;
}

const bound = (text: string | undefined) => (/^-?\d{1,6}$/.test(text ?? "") ? Number(text) : undefined);

/** The range of the filter values of `publication_date`; open ends come from `all`. */
export function chosenRange(values: string[], all: YearRange): YearRange {
  const range = values[0]?.replace(/[[\]()]/g, "");
  if (range === undefined) return all;
  const [from, to] = range.includes("..") ? range.split("..") : [range.slice(0, 4), range.slice(0, 4)];
  return {
    from: Math.max(all.from, bound(from) ?? all.from),
    to: Math.min(all.to, bound(to) ?? all.to),
  };
}

/** The filter values of a range; none if it covers every year. */
export const rangeValues = ({ from, to }: YearRange, all: YearRange): string[] =>
  from <= all.from && to >= all.to ? [] : [from === to ? String(from) : `${from}..${to}`];
