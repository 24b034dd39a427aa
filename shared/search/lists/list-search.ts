import { isDue, yieldToEventLoop } from "../../kernel/time-slice.ts";
import { boundRequest } from "../language/bound-request.ts";
import type { Catalogue } from "../language/field.ts";
import type { SearchRequest } from "../search-parameters.ts";
import { type AnalysedDocument, scoreOf } from "./memory-matcher.ts";

export type Comparator<T> = (left: T, right: T) => number;

export interface ListSearch<T> {
  catalogue: Catalogue;
  /** The analysed fields of an item; keep them in an `AnalysisCache`. */
  documentOf(item: T): AnalysedDocument;
  /** The order of each sort option, ties included; `bestmatch` compares the score first. */
  sorts: Readonly<Record<string, Comparator<T>>>;
  /** Facet and other filters of the request. Aggregations also count the items that they leave out. */
  filter?(item: T): boolean;
  /** Microseconds UTC. */
  now: number;
}

export interface FoundItems<T> {
  /** The page. */
  hits: T[];
  /** The number of items that match and pass the filter. */
  total: number;
  /** All items that match, filtered or not: aggregations count them. */
  matched: T[];
}

/**
 * Searches a list that is small enough to be read whole: requests of one person, one timeline, groups, users,
 * vocabularies. Yields to the event loop every few milliseconds.
 * @throws Failure 400 for a mistyped value in `q` (search 5.5).
 */
export async function searchList<T>(
  items: readonly T[],
  request: SearchRequest,
  search: ListSearch<T>,
): Promise<FoundItems<T>> {
  const node = boundRequest(request, search.catalogue, search.now);
  const scores = new Map<T, number>();
  let start = performance.now();
  for (const item of items) {
    const score = node.type === "all" ? node.boost : scoreOf(node, search.documentOf(item), search.catalogue);
    if (score !== undefined) scores.set(item, score);
    if (isDue(start)) {
      await yieldToEventLoop();
      start = performance.now();
    }
  }
  const matched = [...scores.keys()];
  const { filter } = search;
  const kept = filter ? matched.filter((item) => filter(item)) : matched;
  const order = search.sorts[request.sort] ?? (() => 0);
  const byScore: Comparator<T> = (a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0) || order(a, b);
  const sorted = [...kept].sort(request.sort === "bestmatch" ? byScore : order);
  return { hits: sorted.slice(request.offset, request.offset + request.limit), total: kept.length, matched };
}

/** Keeps analysed documents by a key that changes with their content, such as id and revision. */
export class AnalysisCache {
  readonly #documents = new Map<string, AnalysedDocument>();
  readonly #limit: number;

  constructor(limit = 20_000) {
    this.#limit = limit;
  }

  of(key: string, make: () => AnalysedDocument): AnalysedDocument {
    const known = this.#documents.get(key);
    if (known) return known;
    const made = make();
    if (this.#documents.size >= this.#limit) this.#documents.clear();
    this.#documents.set(key, made);
    return made;
  }
}
