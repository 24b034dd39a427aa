import { dateRange, typeFilters } from "../../shared/search/record-aggregations.ts";
import { allOf, anyOf, type EngineQuery, everything, is, termsIn } from "./query-language.ts";
import { daysQuery } from "./query-translation.ts";

type Filters = ReadonlyMap<string, readonly string[]>;

/** The documents that pass all filters: one value of each name is enough (search 8). */
export function facetFilter(filters: Filters, readableFiles: EngineQuery): EngineQuery {
  return allOf(
    [...filters].flatMap(([name, wanted]) => (wanted.length > 0 ? [passing(name, wanted, readableFiles)] : [])),
  );
}

function passing(name: string, wanted: readonly string[], readableFiles: EngineQuery): EngineQuery {
  switch (name) {
    case "access_status":
    case "language":
    case "subject":
      return termsIn(name, wanted);
    case "file_type":
      return allOf([termsIn(name, wanted), readableFiles]);
    case "is_published":
      return anyOf([
        ...(wanted.includes("true") ? [is("kind", "record")] : []),
        ...(wanted.includes("false") ? [is("kind", "draft")] : []),
      ]);
    case "resource_type": {
      const { types, subtypes } = typeFilters(wanted);
      const nested = subtypes.map(({ parent, child }) => allOf([is("resource_type", parent), is("subtype", child)]));
      return anyOf([termsIn("resource_type", types), ...nested]);
    }
    case "publication_date":
      return dateFilter(wanted);
    default:
      return everything;
  }
}

/** Unreadable ranges are left out; with none left, everything passes. A range without a day holds nothing. */
function dateFilter(wanted: readonly string[]): EngineQuery {
  const spans = wanted.flatMap((text) => dateRange(text) ?? []);
  if (spans.length === 0) return everything;
  return anyOf(
    spans
      .filter(({ first, last }) => first <= last)
      .map(({ first, last }) =>
        daysQuery("published", { low: first, high: last, isLowOpen: false, isHighOpen: false }),
      ),
  );
}
