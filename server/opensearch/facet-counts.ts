import type { RecordCounts } from "../../shared/search/record-aggregations.ts";
import type { EngineQuery } from "./query-language.ts";

/** Ten are shown. Each shard names so many more that the counts of the first ten are exact. */
const shown = { size: 10, shard_size: 2000 };
const everyYear = 10_000;

const termsOf = (field: string, more: object = {}): object => ({
  terms: { field, ...shown, order: [{ _count: "desc" }, { _key: "asc" }] },
  ...more,
});

/** What is counted of the documents that match. */
export const countRequest = (readableFiles: EngineQuery): Record<string, object> => ({
  access_status: termsOf("access_status"),
  language: termsOf("language"),
  subject: termsOf("subject"),
  resource_type: termsOf("resource_type", { aggs: { subtype: termsOf("subtype") } }),
  files: { filter: readableFiles, aggs: { file_type: termsOf("file_type") } },
  first_year: { terms: { field: "first_year", size: everyYear } },
  last_year: { terms: { field: "last_year", size: everyYear } },
  published: { filter: { term: { kind: "record" } } },
});

interface Terms<K extends string | number = string> {
  buckets: { key: K; doc_count: number; subtype?: Terms }[];
}

/** The answer to `countRequest`. */
export interface CountAnswer {
  access_status: Terms;
  language: Terms;
  subject: Terms;
  resource_type: Terms;
  files: { file_type: Terms };
  first_year: Terms<number>;
  last_year: Terms<number>;
  published: { doc_count: number };
}

const countsIn = ({ buckets }: Terms): [string, number][] => buckets.map(({ key, doc_count }) => [key, doc_count]);

export function countsOf(answer: CountAnswer, total: number): RecordCounts {
  const { access_status, language, subject, resource_type, files, published } = answer;
  return {
    access_status: countsIn(access_status),
    language: countsIn(language),
    subject: countsIn(subject),
    file_type: countsIn(files.file_type),
    resource_type: countsIn(resource_type),
    subtypesOf(type) {
      const { subtype } = resource_type.buckets.find(({ key }) => key === type) ?? {};
      return subtype ? countsIn(subtype) : [];
    },
    ...yearsIn(answer),
    published: published.doc_count,
    total,
  };
}

function yearsIn({ first_year, last_year }: CountAnswer): Pick<RecordCounts, "yearSteps" | "earliestYear"> {
  const earliestYear = Math.min(...first_year.buckets.map(({ key }) => key));
  const latestYear = Math.max(...last_year.buckets.map(({ key }) => key));
  if (first_year.buckets.length === 0) return { yearSteps: [], earliestYear: 0 };
  const yearSteps = new Int32Array(latestYear - earliestYear + 2);
  for (const { key, doc_count } of first_year.buckets)
    yearSteps[key - earliestYear] = (yearSteps[key - earliestYear] ?? 0) + doc_count;
  for (const { key, doc_count } of last_year.buckets)
    yearSteps[key + 1 - earliestYear] = (yearSteps[key + 1 - earliestYear] ?? 0) - doc_count;
  return { yearSteps, earliestYear };
}
