import type { GroupRow } from "../database/schema.ts";
import { countValues, termsFacet } from "../search/facets.ts";
import { compareCodePoints, fixedCatalogue } from "../search/language/field.ts";
import { flatten, plainProjection } from "../search/language/flatten.ts";
import { AnalysisCache, type Comparator, searchList } from "../search/lists/list-search.ts";
import { analysed } from "../search/lists/memory-matcher.ts";
import type { SearchRequest, SearchRules } from "../search/search-parameters.ts";

export const groupSearchRules: SearchRules = {
  sorts: ["bestmatch", "name", "name_desc", "managed", "unmanaged"],
  defaultSort: "name",
  defaultSize: 20,
  maxSize: 50,
  filters: ["is_managed"],
  booleanFilters: ["is_managed"],
  refusesOtherBooleans: true,
};

const catalogue = fixedCatalogue({
  kinds: { id: "keyword", name: "text", "name.keyword": "keyword", description: "text", is_managed: "boolean" },
  defaults: { id: 3, name: 2, description: 1 },
});
const projection = plainProjection(catalogue);
const cache = new AnalysisCache();

function documentOf(group: GroupRow) {
  return cache.of(`${group.name}:${group.created}:${group.revision_id}`, () => {
    const { name, description } = group;
    const values = flatten({ id: name, name, description, is_managed: group.is_managed === 1 }, projection);
    return analysed([...values, { path: "name.keyword", kind: "keyword", value: name }]);
  });
}

const byName: Comparator<GroupRow> = (a, b) => compareCodePoints(a.name, b.name);
const sorts: Record<string, Comparator<GroupRow>> = {
  bestmatch: byName,
  name: byName,
  name_desc: (a, b) => byName(b, a),
  managed: (a, b) => b.is_managed - a.is_managed || byName(a, b),
  unmanaged: (a, b) => a.is_managed - b.is_managed || byName(a, b),
};

const keyOf = (group: GroupRow): string => String(group.is_managed === 1);

/**
 * Searches the groups that the caller may read. The facet ignores its own filter (requests 11).
 * @throws Failure 400 for a mistyped value.
 */
export async function searchGroups(readable: readonly GroupRow[], request: SearchRequest, now: number) {
  const selected = request.filters.get("is_managed") ?? [];
  const filter = (group: GroupRow): boolean => selected.length === 0 || selected.includes(keyOf(group));
  const found = await searchList(readable, request, { catalogue, documentOf, sorts, filter, now });
  const facet = termsFacet({
    label: "Management state",
    counts: countValues(found.matched, (group) => [keyOf(group)]),
    labelOf: (key) => (key === "true" ? "Managed" : "Unmanaged"),
    selected,
  });
  return { hits: found.hits, total: found.total, aggregations: { is_managed: facet } };
}
