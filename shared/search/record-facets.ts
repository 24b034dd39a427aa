import type { Bitset } from "./bitset.ts";
import { daysOfBound, type Span } from "./date-values.ts";
import { type Aggregation, type Bucket, fullest, termsFacet } from "./facets.ts";
import {
  flag,
  type MultipleFacet,
  multipleFacets,
  noYear,
  type RecordValues,
  type SingleFacet,
  singleFacets,
  type TermFacet,
} from "./record-values.ts";
import { breathe } from "./time-slice.ts";

/** Filters of records; user records add `is_published` (search 8). */
export const recordFilters = ["publication_date", "access_status", "file_type", "resource_type", "language", "subject"];

export type Filters = ReadonlyMap<string, readonly string[]>;

/** Titles of vocabulary entries in the language of the answer. */
export type TitleOf = (vocabulary: "resourcetypes" | "languages", id: string) => string;

type Test = (doc: number) => boolean;

/** The documents that pass all filters: same name or, different names and. */
export function filtered(
  values: RecordValues,
  docs: Uint32Array,
  filters: Filters,
  hasReadableFiles: () => Bitset,
): Uint32Array {
  const tests: Test[] = [];
  for (const [name, wanted] of filters) {
    if (wanted.length === 0) continue;
    const test = oneFilter(values, name, wanted, hasReadableFiles);
    if (test) tests.push(test);
  }
  return tests.reduce((kept, test) => kept.filter(test), docs);
}

function oneFilter(
  values: RecordValues,
  name: string,
  wanted: readonly string[],
  hasReadableFiles: () => Bitset,
): Test | undefined {
  switch (name) {
    case "access_status":
      return singleTest(values, name, wanted);
    case "language":
    case "subject":
      return multipleTest(values, name, wanted);
    case "file_type": {
      const readable = hasReadableFiles();
      const test = multipleTest(values, name, wanted);
      return (doc) => test(doc) && readable.has(doc);
    }
    case "resource_type":
      return typeTest(values, wanted);
    case "publication_date":
      return dateTest(values, wanted);
    case "is_published":
      return (doc) => wanted.includes(String(((values.flags[doc] ?? 0) & flag.draft) === 0));
    default:
      return undefined;
  }
}

function multipleTest(values: RecordValues, name: MultipleFacet, wanted: readonly string[]): Test {
  const numbers = new Set(wanted.flatMap((word) => values.dictionaries[name].find(word) ?? []));
  const terms = values.multiple[name];
  return (doc) => terms.hasAny(doc, numbers);
}

function singleTest(values: RecordValues, name: SingleFacet, wanted: readonly string[]): Test {
  const numbers = new Set(wanted.flatMap((word) => values.dictionaries[name].find(word) ?? []));
  const column = values.single[name];
  return (doc) => numbers.has(column[doc] ?? -1);
}

/** A child narrows its parent: with both given, the parent alone is not enough. */
function typeTest(values: RecordValues, wanted: readonly string[]): Test {
  const children = wanted.flatMap((word) => {
    const [parent = "", child] = word.split("::");
    return child === undefined ? [] : [{ parent, child }];
  });
  const narrowed = new Set(children.map(({ parent }) => parent));
  const plain = singleTest(
    values,
    "resource_type",
    wanted.filter((word) => !word.includes("::") && !narrowed.has(word)),
  );
  const nested = children.map(({ parent, child }): Test => {
    const [isParent, isChild] = [singleTest(values, "resource_type", [parent]), singleTest(values, "subtype", [child])];
    return (doc) => isParent(doc) && isChild(doc);
  });
  return (doc) => plain(doc) || nested.some((test) => test(doc));
}

/** Unreadable ranges are left out; with none left, everything passes. */
function dateTest(values: RecordValues, wanted: readonly string[]): Test | undefined {
  const spans = wanted.flatMap((text) => dateRange(text) ?? []);
  if (spans.length === 0) return undefined;
  const { firstDay, lastDay } = values;
  return (doc) =>
    spans.some((span) => (firstDay[doc] ?? Number.NaN) <= span.last && (lastDay[doc] ?? Number.NaN) >= span.first);
}

/** `2019`, `2019-03..2020`, `..b`, `a..`, with brackets for in- and exclusive ends; in days. */
function dateRange(text: string): Span | undefined {
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

interface Counts {
  terms: Record<TermFacet, Int32Array>;
  /** First document seen with a subtype: tells the type above it. */
  subtypeDoc: Int32Array;
  /** By how much the count of a year differs from that of the year before, from the earliest year on. */
  yearSteps: Int32Array;
  earliestYear: number;
  published: number;
  total: number;
}

const sliceDocs = 20_000;

const counted = new WeakMap<Uint32Array, { readable: Bitset; counts: Counts }>();

/** Counts each list once: what everybody may see is the same list until something changes. */
async function countsOf(values: RecordValues, docs: Uint32Array, readable: Bitset): Promise<Counts> {
  const known = counted.get(docs);
  if (known?.readable === readable) return known.counts;
  const counts = await countAll(values, docs, readable);
  counted.set(docs, { readable, counts });
  return counts;
}

async function countAll(values: RecordValues, docs: Uint32Array, readable: Bitset): Promise<Counts> {
  const sized = (name: TermFacet) => new Int32Array(values.dictionaries[name].words.length);
  const terms = {
    access_status: sized("access_status"),
    resource_type: sized("resource_type"),
    subtype: sized("subtype"),
    language: sized("language"),
    subject: sized("subject"),
    file_type: sized("file_type"),
  };
  const counts: Counts = {
    terms,
    subtypeDoc: sized("subtype"),
    yearSteps: new Int32Array(Math.max(0, values.latestYear - values.earliestYear + 2)),
    earliestYear: values.earliestYear,
    published: 0,
    total: docs.length,
  };
  for (let at = 0; at < docs.length; at += sliceDocs) {
    countSlice(values, docs.subarray(at, at + sliceDocs), counts, readable);
    if (at + sliceDocs < docs.length) await breathe();
  }
  return counts;
}

/** Field by field: each loop stays within a few arrays. */
function countSlice(values: RecordValues, docs: Uint32Array, counts: Counts, readable: Bitset): void {
  for (const name of singleFacets) {
    const [column, counted] = [values.single[name], counts.terms[name]];
    for (const doc of docs) {
      const number = column[doc] ?? -1;
      if (number >= 0) counted[number] = (counted[number] ?? 0) + 1;
    }
  }
  const subtypes = values.single.subtype;
  for (const doc of docs) {
    const number = subtypes[doc] ?? -1;
    if (number >= 0) counts.subtypeDoc[number] = doc;
    if (((values.flags[doc] ?? 0) & flag.draft) === 0) counts.published += 1;
  }
  for (const name of multipleFacets) {
    values.multiple[name].count(docs, counts.terms[name], name === "file_type" ? readable : undefined);
  }
  const { firstYear, lastYear } = values;
  const { yearSteps, earliestYear } = counts;
  for (const doc of docs) {
    const first = firstYear[doc] ?? noYear;
    if (first === noYear) continue;
    const [from, after] = [first - earliestYear, (lastYear[doc] ?? first) + 1 - earliestYear];
    yearSteps[from] = (yearSteps[from] ?? 0) + 1;
    yearSteps[after] = (yearSteps[after] ?? 0) - 1;
  }
}

export interface FacetOptions {
  filters: Filters;
  titleOf: TitleOf;
  /** Documents whose files the caller may list. */
  readableFiles: Bitset;
  /** User records also count published and unpublished. */
  hasPublished: boolean;
}

const statusLabels: Record<string, string> = {
  open: "Open",
  embargoed: "Embargoed",
  restricted: "Restricted",
  "metadata-only": "Metadata-only",
};

/** All aggregations over the documents that match, whatever the filters (search 8). */
export async function aggregate(
  values: RecordValues,
  docs: Uint32Array,
  { filters, titleOf, readableFiles, hasPublished }: FacetOptions,
): Promise<Record<string, Aggregation>> {
  const counts = await countsOf(values, docs, readableFiles);
  const selected = (name: string) => filters.get(name) ?? [];
  const terms = (name: TermFacet, label: string, labelOf: (key: string) => string): Aggregation =>
    termsFacet({ label, counts: named(values, name, counts.terms[name]), labelOf, selected: selected(name) });
  return {
    publication_date: years(counts, selected("publication_date")),
    access_status: terms("access_status", "Access status", (key) => statusLabels[key] ?? key),
    file_type: terms("file_type", "File type", (key) => key.toUpperCase()),
    resource_type: types(values, counts, selected("resource_type"), titleOf),
    language: terms("language", "Languages", (key) => titleOf("languages", key)),
    subject: terms("subject", "Subjects", (key) => key),
    ...(hasPublished ? { is_published: published(counts, selected("is_published")) } : {}),
  };
}

function* named(values: RecordValues, name: TermFacet, counts: Int32Array): Generator<readonly [string, number]> {
  const { words } = values.dictionaries[name];
  for (let number = 0; number < counts.length; number += 1) {
    const count = counts[number] ?? 0;
    if (count > 0) yield [words[number] ?? "", count];
  }
}

function published(counts: Counts, selected: readonly string[]): Aggregation {
  const labels = new Map([
    ["true", "Published"],
    ["false", "Unpublished"],
  ]);
  const byKey = new Map([
    ["true", counts.published],
    ["false", counts.total - counts.published],
  ]);
  return termsFacet({ label: "Status", counts: byKey, labelOf: (key) => labels.get(key) ?? key, selected });
}

function types(values: RecordValues, counts: Counts, selected: readonly string[], titleOf: TitleOf): Aggregation {
  const typeOfSubtype = (subtype: string): string | undefined => {
    const number = values.dictionaries.subtype.find(subtype);
    const doc = number === undefined ? undefined : counts.subtypeDoc[number];
    const type = doc === undefined ? undefined : values.single.resource_type[doc];
    return type === undefined ? undefined : values.dictionaries.resource_type.words[type];
  };
  const subtypes = [...named(values, "subtype", counts.terms.subtype)];
  const bucket = (key: string, doc_count: number, filter: string): Bucket => ({
    key,
    doc_count,
    label: titleOf("resourcetypes", key),
    is_selected: selected.includes(filter),
  });
  const buckets = fullest(named(values, "resource_type", counts.terms.resource_type)).map(([type, count]): Bucket => {
    const own = new Map(subtypes.filter(([subtype]) => typeOfSubtype(subtype) === type));
    const inner = fullest(own).map(([subtype, within]) => bucket(subtype, within, `${type}::${subtype}`));
    return { ...bucket(type, count, type), inner: { buckets: inner } };
  });
  return { label: "Resource types", buckets };
}

/** One bucket for every year from the first to the last. */
function years({ yearSteps: steps, earliestYear }: Counts, selected: readonly string[]): Aggregation {
  const ranges = selected.flatMap((text) => dateRange(text) ?? []);
  const buckets: Bucket[] = [];
  let doc_count = 0;
  // The last step down belongs to the year after the last.
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
