import { yieldToEventLoop } from "../../kernel/time-slice.ts";
import { type Aggregation, minShown } from "../facets.ts";
import { type AggregationOptions, recordAggregations } from "../record-aggregations.ts";
import type { Bitset } from "./bitset.ts";
import { type FacetCounts, slots } from "./facet-rows.ts";
import type { ProfiledFacet, RecordValues, TermFacet } from "./record-values.ts";

interface Counts {
  terms: Record<TermFacet, Int32Array>;
  /** The type above each subtype. */
  typeOfSubtype: ReadonlyMap<number, number>;
  /** The difference between the count of each year and the year before, from the earliest year on. */
  yearSteps: Int32Array;
  earliestYear: number;
  published: number;
  total: number;
}

const sliceDocs = 50_000;

const counted = new WeakMap<Uint32Array, { readable: Bitset; counts: Counts }>();

/** Caches the counts of a list: anonymous callers share one list until something changes. */
async function countsOf(values: RecordValues, docs: Uint32Array, readable: Bitset): Promise<Counts> {
  const known = counted.get(docs);
  if (known?.readable === readable) return known.counts;
  const counts = await countAll(values, docs, readable);
  counted.set(docs, { readable, counts });
  return counts;
}

/** Counts profiles, then the values of each profile, so that a document costs one look at its row. */
async function countAll(values: RecordValues, docs: Uint32Array, readable: Bitset): Promise<Counts> {
  const counts = values.noCounts();
  for (let from = 0; from < docs.length; from += sliceDocs) {
    values.facetRows.count(docs.subarray(from, from + sliceDocs), counts, readable);
    if (from + sliceDocs < docs.length) await yieldToEventLoop();
  }
  return { ...countProfiles(values, counts.profiles), ...countTerms(values, counts), total: docs.length };
}

function countProfiles(values: RecordValues, counts: Int32Array): Omit<Counts, "terms" | "total"> {
  const { earliestYear, latestYear } = values;
  const yearSteps = new Int32Array(Math.max(0, latestYear - earliestYear + 2));
  const typeOfSubtype = new Map<number, number>();
  let published = 0;
  for (const [number, { isDraft, years, subtype, resource_type }] of values.profiles.all.entries()) {
    const count = counts[number] ?? 0;
    if (count === 0) continue;
    if (!isDraft) published += count;
    for (const one of subtype) typeOfSubtype.set(one, resource_type[0] ?? -1);
    if (!years) continue;
    const [from, after] = [years[0] - earliestYear, years[1] + 1 - earliestYear];
    yearSteps[from] = (yearSteps[from] ?? 0) + count;
    yearSteps[after] = (yearSteps[after] ?? 0) - count;
  }
  return { yearSteps, earliestYear, published, typeOfSubtype };
}

function countTerms(values: RecordValues, { profiles, files, subjects }: FacetCounts): Pick<Counts, "terms"> {
  const spread = (name: TermFacet, counts: Int32Array, numbersAt: (at: number) => readonly number[]): Int32Array => {
    const terms = new Int32Array(values.dictionaries[name].words.length);
    for (let at = 0; at < counts.length; at += 1) {
      const count = counts[at] ?? 0;
      if (count > 0) for (const number of numbersAt(at)) terms[number] = (terms[number] ?? 0) + count;
    }
    return terms;
  };
  const ofProfiles = (name: ProfiledFacet) => spread(name, profiles, (at) => values.profiles.all[at]?.[name] ?? []);
  return {
    terms: {
      access_status: ofProfiles("access_status"),
      resource_type: ofProfiles("resource_type"),
      subtype: ofProfiles("subtype"),
      language: ofProfiles("language"),
      file_type: spread("file_type", files, (at) => values.fileTypes.all[at] ?? []),
      subject: subjects.subarray(slots),
    },
  };
}

export interface FacetOptions extends AggregationOptions {
  /** Documents whose files the caller may list. */
  readableFiles: Bitset;
}

/** All aggregations over the documents that match, whatever the filters (search 8). */
export async function aggregate(
  values: RecordValues,
  docs: Uint32Array,
  options: FacetOptions,
): Promise<Record<string, Aggregation>> {
  const counts = await countsOf(values, docs, options.readableFiles);
  const fullestOf = (name: TermFacet) => named(values, name, counts.terms[name], minShown(counts.terms[name]));
  const { words } = values.dictionaries.resource_type;
  const typeOf = (subtype: string): string | undefined =>
    words[counts.typeOfSubtype.get(values.dictionaries.subtype.find(subtype) ?? -1) ?? -1];
  const subtypes = named(values, "subtype", counts.terms.subtype);
  const known = {
    ...{ access_status: fullestOf("access_status"), file_type: fullestOf("file_type") },
    ...{ language: fullestOf("language"), subject: fullestOf("subject") },
    resource_type: named(values, "resource_type", counts.terms.resource_type),
    subtypesOf: (type: string) => subtypes.filter(([subtype]) => typeOf(subtype) === type),
  };
  return recordAggregations({ ...counts, ...known }, options);
}

/** The values of the counted documents, with their counts. */
function named(values: RecordValues, name: TermFacet, counts: Int32Array, least = 1): [string, number][] {
  const { words } = values.dictionaries[name];
  const found: [string, number][] = [];
  for (let number = 0; number < counts.length; number += 1) {
    const count = counts[number] ?? 0;
    if (count >= least) found.push([words[number] ?? "", count]);
  }
  return found;
}
