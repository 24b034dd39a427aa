import { Bitset } from "./bitset.ts";
import { textScores } from "./record-matcher.repository.ts";
import type { PlannedGroup, PlannedLeaf, PlannedNode } from "./record-matcher.ts";
import { alternativesAtOnce } from "./text-expression.ts";
import type { TextSearch } from "./text-search.ts";
import { Slices } from "./time-slice.ts";

const valueScore = 25;
/** Words that more documents have are weighed by how rare they are, and not by each of their places. */
const exactLimit = 2000;
/** Of longer queries the first leaves decide the order. */
const weighedLeaves = 64;

/** The documents of the universe that match (search 5.2). Not to be changed: it may be the universe itself. */
export async function evaluate(node: PlannedNode, universe: Bitset, texts: TextSearch): Promise<Bitset> {
  if (node.type === "all") return universe;
  if (node.type === "nothing") return new Bitset();
  if (node.type === "group") return evaluateGroup(node, universe, texts);
  const found = (await texts.docs(node.expressions)).copy();
  if (node.found) found.or(node.found);
  return found.and(universe);
}

async function evaluateGroup(group: PlannedGroup, universe: Bitset, texts: TextSearch): Promise<Bitset> {
  const nodes = (occur: string) => group.clauses.filter((clause) => clause.occur === occur).map(({ node }) => node);
  const [must, should, excluded] = [nodes("must"), nodes("should"), nodes("must_not")];
  const slices = new Slices();
  let result = universe.copy();
  for (const node of must) {
    result.and(await evaluate(node, result, texts));
    await slices.next();
  }
  if (must.length === 0 && should.length > 0) {
    result = new Bitset();
    for (const node of should) {
      result.or(await evaluate(node, universe, texts));
      await slices.next();
    }
  }
  for (const node of excluded) {
    result.andNot(await evaluate(node, result, texts));
    await slices.next();
  }
  return result;
}

/**
 * The relevance of each of the documents, in their order. Words of few documents are weighed by the engine; others, and
 * patterns, by how rare they are and whether they stand in a title: nobody reads that far to see more.
 */
export async function scoresOf(node: PlannedNode, docs: Uint32Array, texts: TextSearch): Promise<Float64Array> {
  const scores = new Float64Array(docs.length);
  const add = (found: Bitset, score: number): void => {
    for (let at = 0; at < docs.length; at += 1) if (found.has(docs[at] ?? 0)) scores[at] = (scores[at] ?? 0) + score;
  };
  const rarityOf = (count: number): number => Math.log(1 + texts.size / (count + 0.5));
  for (const { leaf, boost } of positiveLeaves(node, 1).slice(0, weighedLeaves)) {
    if (boost === 0) continue;
    // What was asked as one word, such as a DOI, should be found as one word.
    for (const part of leaf.parts) {
      const found = await texts.docs([part]);
      add(found, rarityOf(found.count()) * boost);
    }
    if (leaf.found) add(leaf.found, valueScore * boost);
    const found = await texts.docs(leaf.expressions);
    const count = found.count();
    if (leaf.isOfWords && count <= exactLimit && leaf.expressions.length <= alternativesAtOnce) {
      await addExact(leaf, found, docs, texts, (at, score) => {
        scores[at] = (scores[at] ?? 0) + score * boost;
      });
    } else {
      add(found, rarityOf(count) * boost);
      if (leaf.inTitles.length > 0) add(await texts.docs(leaf.inTitles), rarityOf(count) * boost);
    }
  }
  return scores;
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
