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
  counts: ReadonlyMap<string, number>;
  labelOf(key: string): string;
  /** Filters of that name. */
  selected: readonly string[];
}

const bucketLimit = 10;

/** The fullest values, equal ones by key; only values that occur. */
export function fullest(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts]
    .filter(([, count]) => count > 0)
    .sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
    .slice(0, bucketLimit);
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
