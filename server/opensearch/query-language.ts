/** A query in the language of OpenSearch. */
export type EngineQuery = { readonly [name: string]: object };

export const everything: EngineQuery = { match_all: {} };
export const nothing: EngineQuery = { match_none: {} };

/** An engine takes 65,536 terms at once. */
const mostTerms = 60_000;

/** One of the terms, whatever the analysis of the field. */
export function termsIn(field: string, terms: readonly string[]): EngineQuery {
  if (terms.length <= mostTerms) return terms.length === 0 ? nothing : { terms: { [field]: terms } };
  const parts: EngineQuery[] = [];
  for (let at = 0; at < terms.length; at += mostTerms)
    parts.push({ terms: { [field]: terms.slice(at, at + mostTerms) } });
  return anyOf(parts);
}

export const is = (field: string, value: string | boolean): EngineQuery => ({ term: { [field]: value } });

/** At least one of the queries. */
export function anyOf(queries: readonly EngineQuery[]): EngineQuery {
  const useful = queries.filter((query) => query !== nothing);
  if (useful.includes(everything)) return everything;
  const [only] = useful;
  if (only === undefined) return nothing;
  return useful.length === 1 ? only : { bool: { should: useful, minimum_should_match: 1 } };
}

/** All of the queries. */
export function allOf(queries: readonly EngineQuery[], excluded: readonly EngineQuery[] = []): EngineQuery {
  if (queries.includes(nothing) || excluded.includes(everything)) return nothing;
  const filter = queries.filter((query) => query !== everything);
  const must_not = excluded.filter((query) => query !== nothing);
  const [only] = filter;
  if (must_not.length > 0) return { bool: { filter, must_not } };
  if (only === undefined) return everything;
  return filter.length === 1 ? only : { bool: { filter } };
}
