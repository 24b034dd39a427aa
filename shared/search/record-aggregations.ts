import { findShippedEntry } from "../vocabularies/shipped-entries.ts";
import { type Aggregation, type Bucket, fullest, termsFacet } from "./facets.ts";
import { daysOfBound, type Span } from "./language/date-values.ts";

type Count = readonly [key: string, count: number];

/** What an index counts of the documents that match. */
export interface RecordCounts {
  access_status: Iterable<Count>;
  file_type: Iterable<Count>;
  language: Iterable<Count>;
  subject: Iterable<Count>;
  resource_type: Iterable<Count>;
  /** The subtypes of a type. */
  subtypesOf(type: string): Iterable<Count>;
  /** The difference between the count of each year and the year before, from the earliest year on. */
  yearSteps: ArrayLike<number>;
  earliestYear: number;
  published: number;
  total: number;
}

/** Titles of vocabulary entries in the language of the answer. */
export type TitleOf = (vocabulary: "resourcetypes" | "languages", id: string) => string;

export interface AggregationOptions {
  filters: ReadonlyMap<string, readonly string[]>;
  titleOf: TitleOf;
  /** User records also count published and unpublished. */
  hasPublished: boolean;
}

const statusLabels: Record<string, string> = {
  open: "Open",
  embargoed: "Embargoed",
  restricted: "Restricted",
  "metadata-only": "Metadata-only",
};

/** All aggregations of records (search 8). */
export function recordAggregations(
  counts: RecordCounts,
  { filters, titleOf, hasPublished }: AggregationOptions,
): Record<string, Aggregation> {
  const selected = (name: string) => filters.get(name) ?? [];
  const terms = (
    name: "access_status" | "file_type" | "language" | "subject",
    label: string,
    labelOf: (key: string) => string,
  ): Aggregation => termsFacet({ label, counts: counts[name], labelOf, selected: selected(name) });
  return {
    publication_date: years(counts, selected("publication_date")),
    access_status: terms("access_status", "Access status", (key) => statusLabels[key] ?? key),
    file_type: terms("file_type", "File type", (key) => key.toUpperCase()),
    resource_type: types(counts, selected("resource_type"), titleOf),
    language: terms("language", "Languages", (key) => titleOf("languages", key)),
    subject: terms("subject", "Subjects", (key) => key),
    ...(hasPublished ? { is_published: published(counts, selected("is_published")) } : {}),
  };
}

function published({ published: count, total }: RecordCounts, selected: readonly string[]): Aggregation {
  const labels = new Map([
    ["true", "Published"],
    ["false", "Unpublished"],
  ]);
  const counts = new Map([
    ["true", count],
    ["false", total - count],
  ]);
  return termsFacet({ label: "Status", counts, labelOf: (key) => labels.get(key) ?? key, selected });
}

function types(counts: RecordCounts, selected: readonly string[], titleOf: TitleOf): Aggregation {
  const bucket = (key: string, doc_count: number, filter: string): Bucket => ({
    key,
    doc_count,
    label: titleOf("resourcetypes", key),
    is_selected: selected.includes(filter),
  });
  const buckets = fullest(counts.resource_type).map(([type, count]): Bucket => {
    const inner = fullest(counts.subtypesOf(type)).map(([key, within]) => bucket(key, within, `${type}::${key}`));
    return { ...bucket(type, count, type), inner: { buckets: inner } };
  });
  return { label: "Resource types", buckets };
}

/** One bucket for every year from the first to the last. */
function years({ yearSteps, earliestYear }: RecordCounts, selected: readonly string[]): Aggregation {
  const ranges = selected.flatMap((text) => dateRange(text) ?? []);
  const buckets: Bucket[] = [];
  const steps = Array.from(yearSteps);
  let doc_count = 0;
  // The last difference belongs to the year after the last.
  const [first, end] = [steps.findIndex((step) => step !== 0), steps.findLastIndex((step) => step !== 0)];
  for (let at = first; at < end; at += 1) {
    doc_count += steps[at] ?? 0;
    const year = earliestYear + at;
    const key = String(year).padStart(4, "0");
    const span = daysOfBound(key, 0);
    const is_selected = ranges.some((range) => span && range.first <= span.first && span.last <= range.last);
    buckets.push({ key, doc_count, label: key, is_selected });
  }
  return { label: "Publication date", buckets };
}

/** `2019`, `2019-03..2020`, `..b`, `a..`, with brackets for in- and exclusive ends; in days. */
export function dateRange(text: string): Span | undefined {
  const [, open = "[", inner = "", close = "]"] = /^([[(]?)(.*?)([\])]?)$/s.exec(text.trim()) ?? [];
  const [from = "", to, ...more] = inner.split("..");
  if (more.length > 0 || (from === "" && (to ?? "") === "")) return undefined;
  const start = from === "" ? undefined : daysOfBound(from, 0);
  const end = to === undefined ? start : to === "" ? undefined : daysOfBound(to, 0);
  if ((from !== "" && !start) || (to !== undefined && to !== "" && !end)) return undefined;
  return {
    first: start ? (open === "(" ? start.last + 1 : start.first) : Number.NEGATIVE_INFINITY,
    last: end ? (close === ")" ? end.first - 1 : end.last) : Number.POSITIVE_INFINITY,
  };
}

/** The filters of resource types as data: a child narrows its parent, so that with both given the parent is left out. */
export function typeFilters(wanted: readonly string[]): {
  types: string[];
  subtypes: { parent: string; child: string }[];
} {
  const subtypes = wanted.flatMap((word) => {
    const [parent = "", child] = word.split("::");
    return child === undefined ? [] : [{ parent, child }];
  });
  const narrowed = new Set(subtypes.map(({ parent }) => parent));
  return { types: wanted.filter((word) => !word.includes("::") && !narrowed.has(word)), subtypes };
}

/** Titles in the first language of `Accept-Language` that an entry has, else English, else the id itself. */
export function titlesIn(languages = ""): TitleOf {
  const wanted = languages
    .split(",")
    .map((item) => {
      const [tag = "", quality] = item.trim().split(/\s*;\s*q=/);
      return { tag: tag.toLowerCase(), quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .flatMap(({ tag }) => [tag, tag.split("-")[0] ?? tag]);
  return (vocabulary, id) => {
    const title = findShippedEntry(vocabulary, id)?.title;
    if (!title) return id;
    const language = wanted.find((tag) => title[tag] !== undefined) ?? "en";
    return title[language] ?? Object.values(title)[0] ?? id;
  };
}
