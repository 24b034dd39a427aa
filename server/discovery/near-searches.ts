import { Failure } from "../../shared/kernel/failure.ts";
import { unknownField, withField, withSimilarWords } from "../../shared/search/language/near-queries.ts";
import type { QueryParameters } from "../../shared/search/search-parameters.ts";
import type { PageParts } from "../pages/record-pages.ts";
import { type ListOptions, listRecords } from "./record-list.ts";

/** A search like the one that found nothing. */
export interface NearSearch {
  kind: "similar" | "fileNames";
  query: string;
  count: number;
}

/** What a visitor may have meant. */
export interface Near {
  searches: readonly NearSearch[];
  /** A field that records do not have, and the query with the one that was probably meant. */
  unknown: { field: string; meant?: { field: string; query: string } } | undefined;
}

export const nothingNear: Near = { searches: [], unknown: undefined };

/** Words that may be a part of a file name, which is searched only on request. */
const isName = /^[\p{L}\p{N}._-]+$/u;

function unknownIn(q: string): Near["unknown"] {
  const unknown = unknownField(q);
  if (!unknown?.meant) return unknown && { field: unknown.field };
  const { field, meant } = unknown;
  return { field, meant: { field: meant, query: withField(q, field, meant) } };
}

/**
 * Searches that find something where `q` finds nothing, as the app offers them (app M17).
 * @param q a query that could be parsed.
 */
export async function nearSearches(
  parts: PageParts,
  q: string,
  { caller }: Pick<ListOptions, "caller">,
): Promise<Near> {
  const similar = withSimilarWords(q);
  const named = isName.test(q) ? `files.entries.key:*${q.replace(/-/g, "\\-")}*` : undefined;
  const searches: NearSearch[] = [];
  for (const [kind, query] of [["similar", similar] as const, ["fileNames", named] as const]) {
    if (query === undefined) continue;
    const parameters: QueryParameters = { q: query };
    try {
      const { total } = await listRecords(parts, parameters, { caller, size: 1, isUncounted: true });
      if (total > 0) searches.push({ kind, query, count: total });
    } catch (error) {
      // A query that is refused is not offered.
      if (!(error instanceof Failure) || error.status !== 400) throw error;
    }
  }
  return { searches, unknown: unknownIn(q) };
}
