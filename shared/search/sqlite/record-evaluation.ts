import { Slices } from "../../kernel/time-slice.ts";
import { Bitset } from "./bitset.ts";
import { textScores } from "./record-matcher.repository.ts";
import type { PlannedGroup, PlannedLeaf, PlannedNode } from "./record-matcher.ts";
import { firstBy } from "./record-sorts.ts";
import type { RecordValues } from "./record-values.ts";
import { alternativesAtOnce } from "./text-expression.ts";
import type { TextSearch } from "./text-search.ts";

const valueScore = 25;
/** More frequent words count by their rarity alone, without the engine's rank for each document. */
const exactLimit = 500;
/** With at most so many layers, documents are ranked by tiers. From one in `manyDocs` of all on, they are a set. */
const maxLayers = 8;
const manyDocs = 32;
/** In longer queries the first leaves decide the order. */
const weighedLeaves = 64;

/** The documents of the universe that match (search 5.2): read-only, since it may be the universe itself. */
export async function evaluate(node: PlannedNode, universe: Bitset, texts: TextSearch): Promise<Bitset> {
  if (node.type === "all") return universe;
  if (node.type === "nothing") return new Bitset();
  if (node.type === "group") return evaluateGroup(node, universe, texts);
  const found = (await texts.docs(node.expressions)).both(universe);
  return node.found ? found.or(node.found.both(universe)) : found;
}

async function evaluateGroup(group: PlannedGroup, universe: Bitset, texts: TextSearch): Promise<Bitset> {
  const nodes = (occur: string) => group.clauses.filter((clause) => clause.occur === occur).map(({ node }) => node);
  const [must, should, excluded] = [nodes("must"), nodes("should"), nodes("must_not")];
  const slices = new Slices();
  const isAnyOf = must.length === 0 && should.length > 0;
  const result = isAnyOf ? new Bitset(texts.size) : universe.copy();
  for (const node of must) {
    result.and(await evaluate(node, result, texts));
    await slices.next();
  }
  for (const node of isAnyOf ? should : []) {
    result.or(await evaluate(node, universe, texts));
    await slices.next();
  }
  for (const node of excluded) {
    result.andNot(await evaluate(node, result, texts));
    await slices.next();
  }
  return result;
}

/** Adds the same score to each of its documents. */
interface Layer {
  docs: Bitset;
  score: number;
}

/** The parts of a score. */
interface Weights {
  layers: Layer[];
  /** Leaves for which the engine ranks each document. */
  exact: { leaf: PlannedLeaf; found: Bitset; boost: number }[];
}

/**
 * The engine ranks words of few documents. Frequent words and patterns count by their rarity and whether they stand in
 * a title: nobody reads far enough to see the difference.
 */
async function weightsOf(node: PlannedNode, texts: TextSearch): Promise<Weights> {
  const weights: Weights = { layers: [], exact: [] };
  const add = (docs: Bitset, score: number): unknown => weights.layers.push({ docs, score });
  const rarityOf = (count: number): number => Math.log(1 + texts.size / (count + 0.5));
  for (const { leaf, boost } of positiveLeaves(node, 1).slice(0, weighedLeaves)) {
    if (boost === 0) continue;
    // A query for one word, such as a DOI, should find it as one word.
    for (const part of leaf.parts) {
      const found = await texts.docs([part]);
      add(found, rarityOf(found.count()) * boost);
    }
    if (leaf.found) add(leaf.found, valueScore * boost);
    if (leaf.expressions.length === 0) continue;
    const found = await texts.docs(leaf.expressions);
    const count = found.count();
    if (leaf.isOfWords && count <= exactLimit && leaf.expressions.length <= alternativesAtOnce) {
      weights.exact.push({ leaf, found, boost });
    } else {
      add(found, rarityOf(count) * boost);
      if (leaf.inTitles.length > 0) add(await texts.docs(leaf.inTitles), rarityOf(count) * boost);
    }
  }
  return weights;
}

export interface Ranking {
  node: PlannedNode;
  docs: Uint32Array;
  /** The same documents as a set, if there is one already. */
  set: Bitset | undefined;
  texts: TextSearch;
  values: RecordValues;
}

/** The first `count` of the documents, the most relevant first. */
export async function bestOf({ node, docs, set, texts, values }: Ranking, count: number): Promise<number[]> {
  const weights = await weightsOf(node, texts);
  const { layers, exact } = weights;
  if (exact.length === 0 && layers.length <= maxLayers) {
    const isMany = docs.length * manyDocs > values.size;
    const all = { docs: isMany ? (set ?? Bitset.of(docs)) : docs, count: docs.length, looked: 0, score: 0 };
    return bestByTiers(values, all, layers, count);
  }
  const scores = new Float64Array(docs.length);
  for (const layer of layers) {
    for (let at = 0; at < docs.length; at += 1) {
      if (layer.docs.has(docs[at] ?? 0)) scores[at] = (scores[at] ?? 0) + layer.score;
    }
  }
  for (const { leaf, found, boost } of exact) {
    await addExact(leaf, found, docs, texts, (at, score) => {
      scores[at] = (scores[at] ?? 0) + score * boost;
    });
  }
  return firstBy(values, "bestmatch", docs, count, scores);
}

/** Documents that share the same of the first layers, and their score in these. A few documents are kept as a list. */
interface Tier {
  docs: Bitset | Uint32Array;
  /** To remove before `docs` are used. Most tiers are never used. */
  without?: Bitset;
  /** The number of documents after that. */
  count: number;
  looked: number;
  score: number;
}

/**
 * Documents in the same layers have the same score. Takes the best tier until the page is full. Only a tier that may
 * still have the highest score is divided by the next layer, so most documents are never looked at.
 */
function bestByTiers(values: RecordValues, first: Tier, layers: readonly Layer[], count: number): number[] {
  // The order of the additions is always the same, so that equal scores are the same number.
  const highest = ({ looked, score }: Tier): number =>
    layers.slice(looked).reduce((sum, layer) => sum + layer.score, score);
  const best: number[] = [];
  let open: Tier[] = [first];
  while (open.length > 0 && best.length < count) {
    const bound = Math.max(...open.map(highest));
    const top = open.filter((tier) => highest(tier) === bound);
    open = open.filter((tier) => !top.includes(tier));
    const reduced = top.map((tier) => withoutRemoved(tier, values.size));
    if (top.every(({ looked }) => looked === layers.length)) {
      best.push(...firstBy(values, "newest", joined(reduced), count - best.length));
    } else {
      open.push(...reduced.flatMap((tier) => divided(tier, layers)));
    }
  }
  return best;
}

/** The documents of all tiers. */
function joined(tiers: readonly Tier[]): Uint32Array {
  const lists = tiers.map(({ docs }) => (docs instanceof Bitset ? docs.toArray() : docs));
  const all = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let size = 0;
  for (const list of lists) {
    all.set(list, size);
    size += list.length;
  }
  return all;
}

/** The tier after the removal; a few documents become a list. */
function withoutRemoved({ docs, without, ...tier }: Tier, size: number): Tier {
  const left = !without ? docs : docs instanceof Bitset ? docs.copy().andNot(without) : without.among(docs, false);
  const isFew = left instanceof Bitset && tier.count * manyDocs < size;
  return { ...tier, docs: isFew ? left.toArray() : left };
}

/** The documents in the next layer, and the others. */
function divided(tier: Tier, layers: readonly Layer[]): Tier[] {
  const { docs, looked, score } = tier;
  const layer = layers[looked];
  if (!layer) return [tier];
  const inside = docs instanceof Bitset ? docs.both(layer.docs) : layer.docs.among(docs, true);
  const count = inside instanceof Bitset ? inside.count() : inside.length;
  const parts: Tier[] = [
    { docs: inside, count, looked: looked + 1, score: score + layer.score },
    { docs, without: layer.docs, count: tier.count - count, looked: looked + 1, score },
  ];
  return parts.filter((part) => part.count > 0);
}

async function addExact(
  { expressions }: PlannedLeaf,
  found: Bitset,
  docs: Uint32Array,
  texts: TextSearch,
  add: (at: number, score: number) => void,
): Promise<void> {
  const places = new Map<number, number>();
  for (let at = 0; at < docs.length; at += 1) {
    const doc = docs[at] ?? 0;
    if (found.has(doc)) places.set(doc, at);
  }
  if (places.size === 0) return;
  await textScores(texts.db, expressions.join(" OR "), [...places.keys()], (doc, score) => {
    const at = places.get(doc);
    if (at !== undefined) add(at, score);
  });
}

function positiveLeaves(node: PlannedNode, factor: number): { leaf: PlannedLeaf; boost: number }[] {
  if (node.type === "leaf") return [{ leaf: node, boost: node.boost * factor }];
  if (node.type !== "group") return [];
  return node.clauses
    .filter((clause) => clause.occur !== "must_not")
    .flatMap((clause) => positiveLeaves(clause.node, factor * node.boost));
}
