import { Failure } from "../kernel/failure.ts";
import { declaredCustomFields } from "../metadata/custom-field-sets.schema.ts";
import { declaredCatalogue } from "../search/declared-catalogue.ts";
import type { Catalogue } from "../search/language/field.ts";
import { type BoundNode, bindQuery } from "../search/language/query-binding.ts";
import { parseQuery } from "../search/language/query-parser.ts";
import { fieldsOf } from "../search/language/query-tree.ts";
import type { Settings } from "../settings/settings.schema.ts";

/** The fields that a query may name. */
export const catalogueOf = (settings: Settings): Catalogue => declaredCatalogue(declaredCustomFields(settings));

/** A query as the matchers evaluate it, or what is wrong with it. */
export type ReadQuery = { node: BoundNode } | { problem: string; headers: Record<string, string> };

const maxKnown = 4000;
const known = new WeakMap<Catalogue, Map<string, ReadQuery>>();

function readAnew(query: string, catalogue: Catalogue, now: number): ReadQuery {
  try {
    return { node: bindQuery(parseQuery(query), catalogue, query, now) };
  } catch (error) {
    if (error instanceof Failure) return { problem: error.message, headers: error.headers };
    throw error;
  }
}

/**
 * Reads the query of a collection. One that names no time relative to now is read once, because each publication needs
 * the queries of all collections.
 * @param now microseconds UTC
 */
export function readQuery(query: string, catalogue: Catalogue, now: number): ReadQuery {
  if (/\bnow\b/i.test(query)) return readAnew(query, catalogue, now);
  const queries = known.get(catalogue) ?? new Map<string, ReadQuery>();
  known.set(catalogue, queries);
  const read = queries.get(query) ?? readAnew(query, catalogue, now);
  if (queries.size >= maxKnown) queries.clear();
  queries.set(query, read);
  return read;
}

/** Paths of fields that a query names and records do not have. @throws as `parseQuery` */
export function unknownFields(query: string, catalogue: Catalogue): string[] {
  const paths = fieldsOf(parseQuery(query)).map((name) => catalogue.resolve?.(name) ?? name);
  return [...new Set(paths)].filter((path) => !path.includes("*") && catalogue.kindOf(path) === undefined);
}
