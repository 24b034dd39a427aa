/** A bucket of an aggregation (search 8). */
export interface Bucket {
  key: string;
  doc_count: number;
  label: string;
  is_selected: boolean;
  inner?: { buckets: Bucket[] };
}

export interface Aggregation {
  label: string;
  buckets: Bucket[];
}

export interface TermsFacet {
  label: string;
  /** How many documents hold each value. */
  counts: Iterable<readonly [string, number]>;
  labelOf(key: string): string;
  /** Filters of that name. */
  selected: readonly string[];
}

const bucketLimit = 10;

/** The most frequent values, equal ones by key; only values that occur. Keeps ten and looks at the rest once. */
export function fullest(counts: Iterable<readonly [string, number]>): [string, number][] {
  const kept: [string, number][] = [];
  const isBefore = (key: string, count: number, other: readonly [string, number]): boolean =>
    count > other[1] || (count === other[1] && key < other[0]);
  for (const [key, count] of counts) {
    const worst = kept.at(-1);
    if (count === 0 || (worst && kept.length === bucketLimit && !isBefore(key, count, worst))) continue;
    const place = kept.findIndex((other) => isBefore(key, count, other));
    kept.splice(place < 0 ? kept.length : place, 0, [key, count]);
    if (kept.length > bucketLimit) kept.pop();
  }
  return kept;
}

/** The count of the last value that `fullest` would keep: it rules out most of thousands of values. */
export function minShown(counts: Int32Array): number {
  const highest = new Int32Array(bucketLimit);
  for (const count of counts) {
    if (count <= (highest[0] ?? 0)) continue;
    let at = 0;
    for (; at + 1 < bucketLimit && count > (highest[at + 1] ?? 0); at += 1) highest[at] = highest[at + 1] ?? 0;
    highest[at] = count;
  }
  return Math.max(1, highest[0] ?? 0);
}

/** The aggregation of a field without levels. */
export function termsFacet(facet: TermsFacet): Aggregation {
  const buckets = fullest(facet.counts).map(([key, doc_count]): Bucket => {
    return { key, doc_count, label: facet.labelOf(key), is_selected: facet.selected.includes(key) };
  });
  return { label: facet.label, buckets };
}

/** Counts the values of items; an item counts once for each of its values. */
export function countValues<T>(items: readonly T[], valuesOf: (item: T) => Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) {
    for (const value of new Set(valuesOf(item))) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}
