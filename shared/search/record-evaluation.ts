import type { Db } from "../database/open.ts";
import { Bitset } from "./bitset.ts";
import { textColumns } from "./record-fields.ts";
import { textDocs, textScores } from "./record-matcher.repository.ts";
import type { PlannedGroup, PlannedLeaf, PlannedNode } from "./record-matcher.ts";
import { alternativesAtOnce } from "./text-expression.ts";

const valueScore = 25;
const exactLimit = 4000;
const titleBonus = 4;
/** The engine's own parser refuses deep expressions. */
const nestingLimit = 8;
/** Of longer queries the first leaves decide the order. */
const weighedLeaves = 64;
const titleColumns = textColumns.flatMap(({ path }, at) => (/\btitle\b/.test(path) ? [`c${at}`] : [])).join(" ");

interface Remembered {
  generation: number;
  docs: Map<string, Bitset>;
}

/** Answers to full-text questions; they hold until the index changes. */
const remembered = new WeakMap<Db, Remembered>();
/** Of a million documents one takes 125 KB. */
const rememberedLimit = 64;

/** Asks full text; what was asked lately is known: the next page, another order, another filter ask the same. */
export class TextSearch {
  readonly db: Db;
  readonly #known: Map<string, Bitset>;

  /** @param generation of the values of `db`: of another one, nothing is known. */
  constructor(db: Db, generation: number) {
    this.db = db;
    let known = remembered.get(db);
    if (known?.generation !== generation) known = { generation, docs: new Map() };
    remembered.set(db, known);
    this.#known = known.docs;
  }

  /** Not to be changed. */
  async docs(expression: string): Promise<Bitset> {
    const known = this.#known.get(expression);
    this.#known.delete(expression);
    const found = known ?? (await this.#ask(expression));
    this.#known.set(expression, found);
    const [oldest] = this.#known.keys();
    if (this.#known.size > rememberedLimit && oldest !== undefined) this.#known.delete(oldest);
    return found;
  }

  async #ask(expression: string): Promise<Bitset> {
    const found = new Bitset();
    await textDocs(this.db, expression, (doc) => found.add(doc));
    return found;
  }
}

/** A whole subtree as one full-text expression; undefined when it also needs other documents or everything. */
function wholeExpression(node: PlannedNode, depth = 0): string | undefined {
  if (node.type === "leaf") return node.found ? undefined : node.expression;
  if (node.type !== "group" || depth > nestingLimit) return undefined;
  const expressions = { must: [] as string[], should: [] as string[], must_not: [] as string[] };
  for (const { occur, node: inner } of node.clauses) {
    const expression = wholeExpression(inner, depth + 1);
    if (expression !== undefined) expressions[occur].push(expression);
    else if (!isEmpty(inner)) return undefined;
    else if (occur === "must") return undefined;
  }
  const { must, should, must_not } = expressions;
  const positive = must.length > 0 ? must.join(" AND ") : should.join(" OR ");
  if (positive === "" || Math.max(must.length, should.length, must_not.length) > alternativesAtOnce) return undefined;
  return must_not.length === 0 ? `(${positive})` : `((${positive}) NOT (${must_not.join(" OR ")}))`;
}

const isEmpty = (node: PlannedNode): boolean =>
  node.type === "nothing" || (node.type === "leaf" && !node.found && node.expression === undefined);

/** The documents of the universe that match (search 5.2). */
export async function evaluate(node: PlannedNode, universe: Bitset, texts: TextSearch): Promise<Bitset> {
  if (node.type === "all") return universe.copy();
  if (node.type === "nothing") return new Bitset();
  const expression = wholeExpression(node);
  if (expression !== undefined) return (await texts.docs(expression)).copy().and(universe);
  if (node.type === "group") return evaluateGroup(node, universe, texts);
  const found = new Bitset();
  if (node.found) found.or(node.found);
  if (node.expression !== undefined) found.or(await texts.docs(node.expression));
  return found.and(universe);
}

async function evaluateGroup(group: PlannedGroup, universe: Bitset, texts: TextSearch): Promise<Bitset> {
  const nodes = (occur: string) => group.clauses.filter((clause) => clause.occur === occur).map(({ node }) => node);
  const [must, should, excluded] = [split(nodes("must")), split(nodes("should")), nodes("must_not")];
  let result = universe.copy();
  if (must.expressions.length + must.others.length > 0) {
    for (const some of chunks(must.expressions)) result.and(await texts.docs(some.join(" AND ")));
    for (const node of must.others) result = await evaluate(node, result, texts);
  } else if (should.expressions.length + should.others.length > 0) {
    result = new Bitset();
    for (const some of chunks(should.expressions)) result.or(await texts.docs(some.join(" OR ")));
    result.and(universe);
    for (const node of should.others) result.or(await evaluate(node, universe, texts));
  }
  for (const node of excluded) result.andNot(await evaluate(node, result, texts));
  return result;
}

/** Clauses that are one full-text expression, each once, and the rest. */
function split(nodes: readonly PlannedNode[]): { expressions: string[]; others: PlannedNode[] } {
  const expressions = new Set<string>();
  const others: PlannedNode[] = [];
  for (const node of nodes) {
    const expression = wholeExpression(node);
    if (expression === undefined) others.push(node);
    else expressions.add(expression);
  }
  return { expressions: [...expressions], others };
}

const chunks = (expressions: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(expressions.length / alternativesAtOnce) }, (_, at) =>
    expressions.slice(at * alternativesAtOnce, (at + 1) * alternativesAtOnce),
  );

/**
 * Adds the relevance of the matching documents to their places in `scores`. Up to a few thousand are weighed by the
 * engine; of more, by how rare the words are and whether they stand in a title: nobody reads that far to see more.
 */
export async function addScores(
  node: PlannedNode,
  matched: Uint32Array,
  scores: Float64Array,
  texts: TextSearch,
): Promise<void> {
  const isFew = matched.length <= exactLimit;
  const leaves = positiveLeaves(node, 1).slice(0, weighedLeaves);
  const whole = isFew && isEven(node) ? wholeExpression(node) : undefined;
  if (whole !== undefined) await textScores(texts.db, whole, matched, (doc, score) => add(scores, doc, score));
  for (const { leaf, boost } of leaves) {
    if (boost === 0) continue;
    // What was asked as one word, such as a DOI, should be found as one word.
    for (const part of leaf.parts) await addRarity(part, boost, scores, texts);
    if (whole !== undefined) continue;
    leaf.found?.each((doc) => add(scores, doc, valueScore * boost));
    const { expression } = leaf;
    if (expression === undefined) continue;
    if (isFew) await textScores(texts.db, expression, matched, (doc, score) => add(scores, doc, score * boost));
    else if (leaf.parts.length === 0) await addRarity(expression, boost, scores, texts);
  }
}

async function addRarity(expression: string, boost: number, scores: Float64Array, texts: TextSearch): Promise<void> {
  const docs = await texts.docs(expression);
  const count = docs.count();
  const rarity = Math.log(1 + (scores.length - count + 0.5) / (count + 0.5)) * boost;
  docs.each((doc) => add(scores, doc, rarity));
  const inTitles = await texts.docs(`({${titleColumns}} : ${expression})`);
  inTitles.each((doc) => add(scores, doc, rarity * titleBonus));
}

function add(scores: Float64Array, doc: number, score: number): void {
  if (doc < scores.length) scores[doc] = (scores[doc] ?? 0) + score;
}

/** No boosts, and no optional clauses beside required ones: one expression scores like its leaves. */
function isEven(node: PlannedNode): boolean {
  if (node.type === "nothing") return true;
  if (node.boost !== 1) return false;
  if (node.type !== "group") return true;
  const occurs = new Set(node.clauses.map((clause) => clause.occur));
  return !(occurs.has("must") && occurs.has("should")) && node.clauses.every((clause) => isEven(clause.node));
}

function positiveLeaves(node: PlannedNode, factor: number): { leaf: PlannedLeaf; boost: number }[] {
  if (node.type === "leaf") return [{ leaf: node, boost: node.boost * factor }];
  if (node.type !== "group") return [];
  return node.clauses
    .filter((clause) => clause.occur !== "must_not")
    .flatMap((clause) => positiveLeaves(clause.node, factor * node.boost));
}
