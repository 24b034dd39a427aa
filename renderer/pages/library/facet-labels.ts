import { useQueries } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Envelope } from "../../api-client/record-types.ts";
import { vocabularyEntryQuery } from "../../api-client/vocabularies.ts";
import { titleText } from "../../format/names.ts";
import { localFacets } from "./local-facets.ts";

/** Label of a facet value. */
export type FacetLabel = (name: string, value: string) => string;

type Aggregations = NonNullable<Envelope<unknown>["aggregations"]>;

const vocabularies = { language: "languages", resource_type: "resourcetypes" } as const;
const vocabularyOf = (name: string) =>
  Object.hasOwn(vocabularies, name) ? vocabularies[name as keyof typeof vocabularies] : undefined;

/** `publication::publication-report` names the inner value. */
const keyOf = (value: string) => value.split("::").at(-1) ?? value;

function countedLabel(aggregations: Aggregations | undefined, name: string, key: string): string | undefined {
  const buckets = aggregations?.[name]?.buckets ?? [];
  const all = buckets.flatMap((bucket) => [bucket, ...(bucket.inner?.buckets ?? [])]);
  return all.find((bucket) => bucket.key === key)?.label;
}

/**
 * Labels of the chosen values: from the answer, else from their vocabulary.
 * @param aggregations undefined before there is an answer: then nothing is requested.
 */
export function useFacetLabel(aggregations: Aggregations | undefined, chosen: Record<string, string[]>): FacetLabel {
  const { t } = useTranslation();
  const unknown = Object.entries(aggregations ? chosen : {}).flatMap(([name, values]) => {
    const type = vocabularyOf(name);
    // Shows the parent of a chosen value too.
    const keys = new Set(values.flatMap((value) => value.split("::")));
    const uncounted = [...keys].filter((key) => countedLabel(aggregations, name, key) === undefined);
    return type ? uncounted.map((key) => vocabularyEntryQuery(type, key)) : [];
  });
  const found = useQueries({ queries: unknown }).flatMap(({ data }) => data ?? []);
  return (name, value) => {
    if (Object.hasOwn(localFacets, name)) return t(`library.local.${value as "needs"}`);
    if (name === "publication_date") return value.replace("..", "–");
    const key = keyOf(value);
    const counted = countedLabel(aggregations, name, key);
    if (counted !== undefined) return counted;
    if (name === "is_published") return t(`library.published_is.${key === "true"}`);
    return titleText(found.find(({ id }) => id === key)?.title, key);
  };
}
