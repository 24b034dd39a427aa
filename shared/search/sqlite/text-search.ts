import type { Db } from "../../database/open.ts";
import { Slices } from "../../kernel/time-slice.ts";
import { ProximityIndex } from "./accelerator/proximity-index.ts";
import { Bitset } from "./bitset.ts";
import { textDocs, textDocsAmong, textDocsOfAny } from "./record-matcher.repository.ts";
import type { RecordValues } from "./record-values.ts";
import { anyOf } from "./text-expression.ts";

/** The documents that an expression found in a generation of the values: few as a list, many as a set. */
interface CachedDocs {
  docs: Bitset | Uint32Array;
  generation: number;
}

/** The size of the cache: some megabytes, and room for so many full sets. */
const minBytes = 2_000_000;
const fullSets = 100;
/** With more changes, times expressions, a new query is quicker than a correction. */
const correctionLimit = 300;
const expressionsAtOnce = 16;
const candidatesAtOnce = 10_000;

/**
 * Queries the full-text engine and caches what it found, corrected by the documents that have changed since. The next
 * page, another order, another filter and the same word in another query need the same documents.
 */
export class TextSearch {
  readonly db: Db;
  readonly proximity: ProximityIndex;
  readonly #values: RecordValues;
  readonly #cache = new Map<string, CachedDocs>();
  #bytes = 0;

  constructor(db: Db, values: RecordValues) {
    this.db = db;
    this.#values = values;
    this.proximity = new ProximityIndex(db, values);
  }

  /** One more than the greatest number of a document. */
  get size(): number {
    return this.#values.size;
  }

  /** The documents that one of the expressions finds: read-only. */
  async docs(expressions: readonly string[]): Promise<Bitset> {
    const key = expressions.join("\n");
    // Read before the query: the next search corrects what is written meanwhile.
    const { generation } = this.#values;
    const cached = this.#cache.get(key);
    if (cached?.generation === generation) {
      this.#cache.delete(key);
      this.#cache.set(key, cached);
      return cached.docs instanceof Bitset ? cached.docs : Bitset.of(cached.docs);
    }
    const found = (await this.#corrected(key, expressions)) ?? (await this.#queried(expressions));
    this.#store(key, found, generation);
    return found;
  }

  async #corrected(key: string, expressions: readonly string[]): Promise<Bitset | undefined> {
    const cached = this.#cache.get(key);
    const changed = cached && this.#values.changedSince(cached.generation);
    if (!changed || changed.length * expressions.length > correctionLimit) return undefined;
    const docs = cached.docs instanceof Bitset ? cached.docs.copy() : Bitset.of(cached.docs);
    for (const doc of changed) docs.delete(doc);
    await textDocsAmong(this.db, expressions, changed, (doc) => docs.add(doc));
    return docs;
  }

  async #queried(expressions: readonly string[]): Promise<Bitset> {
    const found = new Bitset(this.#values.size);
    const [only] = expressions;
    if (expressions.length === 1 && only !== undefined) {
      await textDocs(this.db, only, (doc) => found.add(doc));
      return found;
    }
    const uncached: string[] = [];
    for (const expression of expressions) {
      if (this.#cache.has(expression)) found.or(await this.docs([expression]));
      else uncached.push(expression);
    }
    const slices = new Slices();
    for (let at = 0; at < uncached.length; at += expressionsAtOnce) {
      await textDocsOfAny(this.db, uncached.slice(at, at + expressionsAtOnce), (doc) => found.add(doc));
      await slices.next();
    }
    return found;
  }

  /**
   * Adds the documents that have frequent words near each other in one value. Returns false without `proximity`: the
   * engine has to be asked.
   */
  async addSloppy(tokens: readonly string[], slop: number, found: Bitset): Promise<boolean> {
    if (!this.proximity.finder(tokens, slop)) return false;
    const all = new Bitset();
    for (const [at, token] of tokens.entries()) {
      const docs = await this.docs([anyOf([token], "")]);
      if (at === 0) all.or(docs);
      else all.and(docs);
    }
    const candidates = all.toArray();
    const near = new Bitset(this.#values.size);
    const slices = new Slices();
    for (let from = 0; from < candidates.length; from += candidatesAtOnce) {
      const isNear = this.proximity.finder(tokens, slop);
      if (!isNear) return false;
      for (const doc of candidates.subarray(from, from + candidatesAtOnce)) if (isNear(doc)) near.add(doc);
      await slices.next();
    }
    found.or(near);
    return true;
  }

  /** Caches an answer and drops the least recently used ones. */
  #store(key: string, found: Bitset, generation: number): void {
    this.#drop(key);
    const isMany = found.count() * 32 > this.#values.size;
    const docs = isMany ? found : found.toArray();
    this.#cache.set(key, { docs, generation });
    this.#bytes += docs.byteLength;
    const limit = minBytes + (fullSets * this.#values.size) / 8;
    for (const oldest of this.#cache.keys()) {
      if (this.#bytes <= limit) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#cache.get(key)?.docs.byteLength ?? 0;
    this.#cache.delete(key);
  }
}

const searches = new WeakMap<Db, TextSearch>();

/** The text search of a database, with its cache. */
export function textSearchOf(db: Db, values: RecordValues): TextSearch {
  const texts = searches.get(db) ?? new TextSearch(db, values);
  searches.set(db, texts);
  return texts;
}
