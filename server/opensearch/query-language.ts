/** A query in the language of OpenSearch. */
export type EngineQuery = { readonly [name: string]: object };

export const everything: EngineQuery = { match_all: {} };
export const nothing: EngineQuery = { match_none: {} };

/** An engine takes 65,536 terms at once. */
const maxTerms = 60_000;

/** One of the terms, whatever the analysis of the field. */
export const termsIn = (field: string, terms: readonly string[]): EngineQuery => anyOf(termQueries(field, terms));

export const is = (field: string, value: string | boolean): EngineQuery => ({ term: { [field]: value } });

/** At least one of the queries. The engine limits the number of clauses, so those for terms of one field become one. */
export function anyOf(queries: readonly EngineQuery[]): EngineQuery {
  const flat = queries.flatMap(alternativesIn).filter((query) => query !== nothing);
  if (flat.includes(everything)) return everything;
  const terms = new Map<string, Set<string>>();
  const others: EngineQuery[] = [];
  for (const query of flat) {
    const [field, words] = wordsIn(query) ?? [];
    if (field === undefined || words === undefined) {
      others.push(query);
      continue;
    }
    const known = terms.get(field) ?? new Set();
    terms.set(field, known);
    for (const word of words) known.add(word);
  }
  const useful = [...[...terms].flatMap(([field, words]) => termQueries(field, [...words])), ...others];
  const [only] = useful;
  if (only === undefined) return nothing;
  return useful.length === 1 ? only : { bool: { should: useful, minimum_should_match: 1 } };
}

interface Alternatives {
  should?: EngineQuery[];
  minimum_should_match?: number;
}

/** The parts of what `anyOf` made. */
function alternativesIn(query: EngineQuery): EngineQuery[] {
  const { should, minimum_should_match } = (query.bool ?? {}) as Alternatives;
  return should && minimum_should_match === 1 ? should : [query];
}

const wordsIn = ({ terms }: EngineQuery) => terms && (Object.entries(terms)[0] as [string, string[]] | undefined);

function termQueries(field: string, terms: readonly string[]): EngineQuery[] {
  const parts: EngineQuery[] = [];
  for (let at = 0; at < terms.length; at += maxTerms)
    parts.push({ terms: { [field]: terms.slice(at, at + maxTerms) } });
  return parts;
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
