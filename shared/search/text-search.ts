import type { Db } from "../database/open.ts";
import { Bitset } from "./bitset.ts";
import { sampledTexts, textDocs, textDocsAmong, textDocsOfAny } from "./record-matcher.repository.ts";
import { type RecordValues, recordValues } from "./record-values.ts";
import { anyOf, everywhere, inTitles, within } from "./text-expression.ts";
import { breathe, Slices } from "./time-slice.ts";

/** What an expression found when the values were of a generation: few documents as a list, many as a set. */
interface Known {
  docs: Bitset | Uint32Array;
  generation: number;
}

/** Bytes for answers: some megabytes, and as many full sets as these. */
const leastRoom = 2_000_000;
const fullSets = 1000;
/** Of more changes, times expressions, asking anew is quicker than correcting. */
const correctedAtMost = 300;
const askedAtOnce = 16;

/**
 * Asks the full-text engine and keeps what it found, corrected by the documents that have changed since: the next page,
 * another order, another filter and the same word in another query ask the same.
 */
export class TextSearch {
  readonly db: Db;
  readonly #values: RecordValues;
  readonly #known = new Map<string, Known>();
  #bytes = 0;

  constructor(db: Db, values: RecordValues) {
    this.db = db;
    this.#values = values;
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
    const found = (await this.#recalled(key, expressions)) ?? (await this.#asked(expressions));
    this.#keep(key, found, generation);
    return found;
  }

  async #recalled(key: string, expressions: readonly string[]): Promise<Bitset | undefined> {
    const known = this.#known.get(key);
    const stale = known && this.#values.changedSince(known.generation);
    if (!stale || stale.length * expressions.length > correctedAtMost) return undefined;
    const docs = known.docs instanceof Bitset ? known.docs : Bitset.of(known.docs);
    if (stale.length === 0) return docs;
    const corrected = docs.copy();
    for (const doc of stale) corrected.delete(doc);
    await textDocsAmong(this.db, expressions, stale, (doc) => corrected.add(doc));
    return corrected;
  }

  async #asked(expressions: readonly string[]): Promise<Bitset> {
    const found = new Bitset(this.#values.size);
    const [only] = expressions;
    if (expressions.length === 1 && only !== undefined) {
      await textDocs(this.db, only, (doc) => found.add(doc));
      return found;
    }
    const unknown: string[] = [];
    for (const expression of expressions) {
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

const sampleSize = 300;
/** A word that one document in so many has is asked ahead, and at most so many words. */
const rarest = 64;
const mostWords = 500;

/**
 * Asks ahead for the words that many documents have, the most frequent first: they are what takes long, and there are
 * few of them. Which these are, some hundred documents tell. Gives way after each.
 */
export async function askFrequentWords(db: Db): Promise<void> {
  const values = await recordValues(db);
  const texts = textSearchOf(db, values);
  const step = Math.max(1, Math.floor(values.size / sampleSize));
  const sample = Array.from({ length: Math.min(sampleSize, values.size) }, (_, at) => at * step + 1);
  const counts = new Map<string, number>();
  for (const text of await sampledTexts(db, sample)) {
    for (const word of new Set(text.split(" "))) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const frequent = [...counts].filter(([word, count]) => word !== "" && count * rarest > sample.length);
  for (const [word] of frequent.sort((a, b) => b[1] - a[1]).slice(0, mostWords)) {
    for (const place of [everywhere, inTitles]) {
      await texts.docs([within(place, anyOf([word], ""))]);
      await breathe();
    }
  }
}
