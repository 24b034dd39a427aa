import type { BoundLeaf, BoundNode } from "../../shared/search/language/query-binding.ts";
import { defaultKeywordPaths } from "../../shared/search/record-fields.ts";
import { textFields } from "./index-document.ts";
import { cut, pathStart } from "./index-terms.ts";
import { type EngineQuery, everything, nothing } from "./query-language.ts";
import { leafQuery, type Translation } from "./query-translation.ts";
import { keywordQuery, phraseQuery } from "./text-query.ts";

/** In longer queries the first leaves decide the order. */
const weighedLeaves = 64;
/** The tokens of a word with more of them are not ranked one by one. */
const maxTokens = 16;
const valueScore = 25;
const titleBoost = 2;

/** The parts of the score of a tree, for `bestmatch` (search 5.4). They leave the set of matches as it is. */
export function scoreQueries(node: BoundNode, translation: Translation): EngineQuery[] {
  const leaves = positiveLeaves(node, 1).filter(({ boost }) => boost > 0);
  return leaves.slice(0, weighedLeaves).flatMap(({ leaf, boost }) => leafScores(leaf, boost, translation));
}

function positiveLeaves(node: BoundNode, factor: number): { leaf: BoundLeaf; boost: number }[] {
  if (node.type === "leaf") return [{ leaf: node, boost: node.boost * factor }];
  if (node.type !== "group") return [];
  return node.clauses
    .filter((clause) => clause.occur !== "must_not")
    .flatMap((clause) => positiveLeaves(clause.node, factor * node.boost));
}

const constant = (filter: EngineQuery, boost: number): EngineQuery[] =>
  filter === nothing || filter === everything ? [] : [{ constant_score: { filter, boost } }];

function leafScores(leaf: BoundLeaf, boost: number, translation: Translation): EngineQuery[] {
  const { tests, target } = leaf;
  const test = tests?.joined;
  const isOfWords = test?.type === "tokens" && test.any.length <= maxTokens;
  if (!tests || !isOfWords || target.type === "pattern") return constant(leafQuery(leaf, translation), boost);
  if (target.type === "path") {
    const scored = target.kind === "text" || target.kind === "joined" || target.kind === "original";
    if (!scored) return constant(leafQuery(leaf, translation), valueScore * boost);
    return wordScores("c", pathStart(target.path), test.any, boost);
  }
  const titles = wordScores("c", pathStart("metadata.title"), test.any, boost * titleBoost);
  const keywords = constant(keywordQuery(defaultKeywordPaths, tests.keyword), valueScore * boost);
  const texts = Object.values(textFields).flatMap((field) => wordScores(field, "", test.any, boost));
  return [...texts, ...titles, ...keywords];
}

/** Each token by its rarity, and all of them side by side: a query for one word, such as a DOI, finds it as one word. */
function wordScores(field: string, start: string, tokens: readonly string[], boost: number): EngineQuery[] {
  const words = tokens.map((token): EngineQuery => ({ term: { [field]: { value: start + cut(token), boost } } }));
  const before = tokens.slice(0, -1);
  const parts = tokens.at(-1) === before.join("") ? before : tokens;
  if (parts.length < 2) return words;
  const phrase = phraseQuery(field, start, parts, 0) as { match_phrase: Record<string, object> };
  return [...words, { match_phrase: { [field]: { ...phrase.match_phrase[field], boost } } }];
}
