import type { Db } from "../database/open.ts";
import { Slices } from "../kernel/time-slice.ts";
import { Bitset } from "./bitset.ts";
import { KeptLists } from "./kept-lists.ts";
import { textDocs, textDocsAmong, textDocsOfAny } from "./record-matcher.repository.ts";
import type { RecordValues } from "./record-values.ts";
import { readWords, sideBySide } from "./text-expression.ts";

/** What an expression found when the values were of a generation: few documents as a list, many as a set. */
interface Known {
  docs: Bitset | Uint32Array;
  generation: number;
}

/** Bytes for answers: some megabytes, and as many full sets as these. */
const leastRoom = 2_000_000;
const fullSets = 100;
/** Of more changes, times expressions, asking anew is quicker than correcting. */
const correctedAtMost = 300;
const askedAtOnce = 16;
const lookedAtOnce = 10_000;

/**
 * Asks the full-text engine and keeps what it found, corrected by the documents that have changed since: the next page,
 * another order, another filter and the same word in another query ask the same.
 */
export class TextSearch {
  readonly db: Db;
  readonly kept: KeptLists;
  readonly #values: RecordValues;
  readonly #known = new Map<string, Known>();
  #bytes = 0;

  constructor(db: Db, values: RecordValues) {
    this.db = db;
    this.#values = values;
    this.kept = new KeptLists(db, values);
  }

  /** How many documents there are, one more than the greatest number. */
  get size(): number {
    return this.#values.size;
  }

  /** The documents that one of the expressions finds. Not to be changed. */
  async docs(expressions: readonly string[]): Promise<Bitset> {
    const key = expressions.join("\n");
    // Read before asking: what is written meanwhile is corrected the next time.
    const { generation } = this.#values;
    const known = this.#known.get(key);
    if (known?.generation === generation) {
      this.#known.delete(key);
      this.#known.set(key, known);
      return known.docs instanceof Bitset ? known.docs : Bitset.of(known.docs);
    }
    const found = (await this.#recalled(key, expressions)) ?? (await this.#asked(expressions));
    this.#keep(key, found, generation);
    return found;
  }

  async #recalled(key: string, expressions: readonly string[]): Promise<Bitset | undefined> {
    const known = this.#known.get(key);
    const stale = known && this.#values.changedSince(known.generation);
    if (!stale || stale.length * expressions.length > correctedAtMost) return undefined;
    if (expressions.every((expression) => this.kept.hasDocs(expression))) return undefined;
    const corrected = known.docs instanceof Bitset ? known.docs.copy() : Bitset.of(known.docs);
    for (const doc of stale) corrected.delete(doc);
    await textDocsAmong(this.db, expressions, stale, (doc) => corrected.add(doc));
    return corrected;
  }

  async #asked(expressions: readonly string[]): Promise<Bitset> {
    const found = new Bitset(this.#values.size);
    const [only] = expressions;
    if (expressions.length === 1 && only !== undefined) {
      if (this.kept.addDocs(only, found) || (await this.#addPhrase(only, found))) return found;
      await textDocs(this.db, only, (doc) => found.add(doc));
      return found;
    }
    const unknown: string[] = [];
    for (const expression of expressions) {
      if (this.kept.addDocs(expression, found)) continue;
      if (this.#known.has(expression)) found.or(await this.docs([expression]));
      else unknown.push(expression);
    }
    const slices = new Slices();
    for (let at = 0; at < unknown.length; at += askedAtOnce) {
      await textDocsOfAny(this.db, unknown.slice(at, at + askedAtOnce), (doc) => found.add(doc));
      await slices.next();
    }
    return found;
  }

  /** Adds the documents of a phrase of frequent words, out of those that have each two of them side by side. */
  async #addPhrase(expression: string, found: Bitset): Promise<boolean> {
    const { tokens = [], isInTitle = false } = readWords(expression) ?? {};
    const isPhrase = tokens.length > 2 && this.kept.nearFinder(tokens, 0, isInTitle) !== undefined;
    if (!isPhrase) return false;
    const docs = new Bitset(this.#values.size);
    for (const [at, token] of tokens.slice(1).entries()) {
      const pair = await this.docs([sideBySide([tokens[at] ?? "", token], "")]);
      if (at === 0) docs.or(pair);
      else docs.and(pair);
    }
    return this.#addNear(docs, found, { tokens, slop: 0, isInTitle });
  }

  /** Adds the documents that have frequent words near each other in one value; false: the engine is to be asked. */
  async addSloppy(tokens: readonly string[], slop: number, found: Bitset): Promise<boolean> {
    if (!this.kept.nearFinder(tokens, slop, false)) return false;
    const docs = this.kept.together(tokens, slop);
    const beside = new Bitset(this.#values.size);
    // Two words side by side are near, and so they are the other way round for 2: those texts need no look.
    const pairs = slop < 2 ? [tokens] : [tokens, tokens.toReversed()];
    for (const pair of tokens.length === 2 ? pairs : []) beside.or(await this.docs([sideBySide(pair, "")]));
    if (!(await this.#addNear(docs.andNot(beside), found, { tokens, slop, isInTitle: false }))) return false;
    found.or(beside);
    return true;
  }

  /** Looks at some documents; false: something has changed meanwhile. */
  async #addNear(
    docs: Bitset,
    found: Bitset,
    { tokens, slop, isInTitle }: { tokens: readonly string[]; slop: number; isInTitle: boolean },
  ): Promise<boolean> {
    const candidates = docs.toArray();
    const near = new Bitset(this.#values.size);
    const slices = new Slices();
    for (let from = 0; from < candidates.length; from += lookedAtOnce) {
      const addNear = this.kept.nearFinder(tokens, slop, isInTitle);
      if (!addNear) return false;
      addNear(candidates.subarray(from, from + lookedAtOnce), near);
      await slices.next();
    }
    found.or(near);
    return true;
  }

  /** Keeps an answer, and forgets those that were not asked for longest. */
  #keep(key: string, found: Bitset, generation: number): void {
    this.#forget(key);
    const isMany = found.count() * 32 > this.#values.size;
    const docs = isMany ? found : found.toArray();
    this.#known.set(key, { docs, generation });
    this.#bytes += docs.byteLength;
    const room = leastRoom + (fullSets * this.#values.size) / 8;
    for (const oldest of this.#known.keys()) {
      if (this.#bytes <= room) return;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#bytes -= this.#known.get(key)?.docs.byteLength ?? 0;
    this.#known.delete(key);
  }
}

const known = new WeakMap<Db, TextSearch>();

/** The one that knows what was asked of a database before. */
export function textSearchOf(db: Db, values: RecordValues): TextSearch {
  const texts = known.get(db) ?? new TextSearch(db, values);
  known.set(db, texts);
  return texts;
}
