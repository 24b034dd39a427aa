import { dateRange, typeFilters } from "../record-aggregations.ts";
import type { Bitset } from "./bitset.ts";
import type { Profile, RecordValues, TermFacet } from "./record-values.ts";

export type Filters = ReadonlyMap<string, readonly string[]>;

/** The documents that pass all filters: one value of each name is enough. */
export function filtered(
  values: RecordValues,
  docs: Uint32Array,
  filters: Filters,
  hasReadableFiles: () => Bitset,
): Uint32Array {
  let kept = docs;
  for (const [name, wanted] of filters) {
    if (wanted.length > 0) kept = passing(values, kept, { name, wanted }, hasReadableFiles);
  }
  return kept;
}

interface Filter {
  name: string;
  wanted: readonly string[];
}

function passing(
  values: RecordValues,
  docs: Uint32Array,
  { name, wanted }: Filter,
  hasReadableFiles: () => Bitset,
): Uint32Array {
  const ofProfile = profileTest(values, name, wanted);
  if (ofProfile) return values.facetRows.marked(docs, "profile", values.profiles.all.map(ofProfile));
  switch (name) {
    case "subject": {
      const numbers = numbersOf(values, name, wanted);
      return docs.filter((doc) => values.facetRows.hasSubject(doc, numbers));
    }
    case "file_type": {
      const readable = hasReadableFiles();
      const numbers = numbersOf(values, name, wanted);
      const isWanted = values.fileTypes.all.map((types) => types.some((type) => numbers.has(type)));
      return readable.among(values.facetRows.marked(docs, "files", isWanted), true);
    }
    case "publication_date": {
      const test = dateTest(values, wanted);
      return test ? docs.filter(test) : docs;
    }
    default:
      return docs;
  }
}

const numbersOf = (values: RecordValues, name: TermFacet, words: readonly string[]): ReadonlySet<number> =>
  new Set(words.flatMap((word) => values.dictionaries[name].find(word) ?? []));

/** The test of a profile; undefined: the filter is not about profiles. */
function profileTest(
  values: RecordValues,
  name: string,
  wanted: readonly string[],
): ((profile: Profile) => boolean) | undefined {
  switch (name) {
    case "access_status":
    case "language": {
      const numbers = numbersOf(values, name, wanted);
      return (profile) => profile[name].some((number) => numbers.has(number));
    }
    case "resource_type":
      return typeTest(values, wanted);
    case "is_published":
      return ({ isDraft }) => wanted.includes(String(!isDraft));
    default:
      return undefined;
  }
}

function typeTest(values: RecordValues, wanted: readonly string[]): (profile: Profile) => boolean {
  const { resource_type, subtype } = values.dictionaries;
  const { types, subtypes } = typeFilters(wanted);
  const plain = numbersOf(values, "resource_type", types);
  const nested = subtypes.map(({ parent, child }) => [resource_type.find(parent), subtype.find(child)] as const);
  const holds = (numbers: readonly number[], number: number | undefined) =>
    number !== undefined && numbers.includes(number);
  return (profile) =>
    profile.resource_type.some((number) => plain.has(number)) ||
    nested.some(([parent, child]) => holds(profile.resource_type, parent) && holds(profile.subtype, child));
}

/** Unreadable ranges are left out; with none left, everything passes. A range without a day holds nothing. */
function dateTest(values: RecordValues, wanted: readonly string[]): ((doc: number) => boolean) | undefined {
  const spans = wanted.flatMap((text) => dateRange(text) ?? []);
  if (spans.length === 0) return undefined;
  const { firstDay, lastDay } = values;
  const ranges = spans.filter(({ first, last }) => first <= last);
  return (doc) =>
    ranges.some((range) => (firstDay[doc] ?? Number.NaN) <= range.last && (lastDay[doc] ?? Number.NaN) >= range.first);
}
