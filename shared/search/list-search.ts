import { breathe, isDue } from "../kernel/time-slice.ts";
import { tokensOf } from "./analysis.ts";
import type { Catalogue } from "./field.ts";
import { type AnalysedDocument, scoreOf } from "./memory-matcher.ts";
import { type BoundNode, bindQuery } from "./query-binding.ts";
import { parseQuery } from "./query-parser.ts";
import type { SearchRequest } from "./search-parameters.ts";
import { type LeafTests, testsOf } from "./value-test.ts";

export type Comparator<T> = (left: T, right: T) => number;

export interface ListSearch<T> {
  catalogue: Catalogue;
  /** The analysed fields of an item; keep them in an `AnalysisCache`. */
  documentOf(item: T): AnalysedDocument;
  /** What precedes within each option, ties included; `bestmatch` is asked after the score. */
  sorts: Readonly<Record<string, Comparator<T>>>;
  /** Facet and other filters of the request; aggregations count what they leave out too. */
  filter?(item: T): boolean;
  /** Microseconds UTC. */
  now: number;
}

export interface FoundItems<T> {
  /** The page. */
  hits: T[];
  /** All that match and pass the filter. */
  total: number;
  /** All that match, filtered or not: what aggregations count. */
  matched: T[];
}

/** The tree of `q` or `suggest`, bound to a catalogue. @throws Failure 400 for a mistyped value (search 5.5). */
export function boundRequest(request: SearchRequest, catalogue: Catalogue, now: number): BoundNode {
  if (request.suggest !== undefined) return bindSuggest(request.suggest, catalogue, now);
  if (request.q === undefined) return { type: "all", boost: 1 };
  return bindQuery(parseQuery(request.q), catalogue, request.q, now);
}

/** Type-ahead: every word must match, as the beginning of a token of a default field (search 9). */
function bindSuggest(text: string, catalogue: Catalogue, now: number): BoundNode {
  const leaves = text.split(/\s+/).flatMap((word) => suggestLeaves(word, catalogue, now));
  if (leaves.length === 0) return { type: "nothing" };
  return {
    type: "group",
    boost: 1,
    clauses: leaves.map((tests) => ({
      occur: "must",
      node: { type: "leaf", target: { type: "default" }, tests, boost: 1 },
    })),
  };
}

/** A word with an @ is the beginning of an address: its parts must not find the name of somebody who hides hers. */
function suggestLeaves(word: string, catalogue: Catalogue, now: number): LeafTests[] {
  if (!catalogue.hasPrefixWords || !word.includes("@"))
    return tokensOf(word).map((token) => suggestTests(token, catalogue, now));
  return [{ ...testsOf({ type: "word", text: word }, now), text: undefined, joined: undefined, original: undefined }];
}

function suggestTests(word: string, catalogue: Catalogue, now: number): LeafTests {
  const prefixes = testsOf({ type: "word", text: word }, now, true);
  if (catalogue.hasPrefixWords) return prefixes;
  const text = {
    type: "scan" as const,
    prefix: word,
    isPrefix: true,
    matches: (token: string) => token.startsWith(word),
  };
  const keyword = { ...text, matches: (value: string) => value.toLowerCase().startsWith(word) };
  return { ...prefixes, text, joined: text, original: text, keyword };
}

/**
 * Searches a list that is small enough to be read whole: requests of one person, one timeline, groups, users,
 * vocabularies. Gives way to other work every few milliseconds.
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
      await breathe();
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
