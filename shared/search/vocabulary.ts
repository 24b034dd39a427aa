import type { Db } from "../database/open.ts";
import { newTokens } from "./record-matcher.repository.ts";
import { breathe, isDue } from "./time-slice.ts";
import type { ScanTest } from "./value-test.ts";

const pageSize = 5000;
const sliceTokens = 1024;

/** All tokens of a database in memory: a cache that takes over what was added since. */
class Vocabulary {
  readonly tokens: string[] = [];
  #last = 0;
  #refreshing: Promise<void> = Promise.resolve();

  refresh(db: Db): Promise<void> {
    this.#refreshing = this.#refreshing.catch(() => undefined).then(() => this.#follow(db));
    return this.#refreshing;
  }

  async #follow(db: Db): Promise<void> {
    for (;;) {
      const rows = await newTokens(db, this.#last, pageSize);
      for (const { id, token } of rows) {
        this.tokens.push(token);
        this.#last = id;
      }
      if (rows.length < pageSize) return;
      await breathe();
    }
  }
}

const known = new WeakMap<Db, Vocabulary>();

/** The tokens that a pattern, a fuzzy word or a range matches; gives way to other work every few milliseconds. */
export async function matchingTokens(db: Db, test: ScanTest): Promise<string[]> {
  const vocabulary = known.get(db) ?? new Vocabulary();
  known.set(db, vocabulary);
  await vocabulary.refresh(db);
  const found: string[] = [];
  let start = performance.now();
  for (let from = 0; from < vocabulary.tokens.length; from += sliceTokens) {
    for (const token of vocabulary.tokens.slice(from, from + sliceTokens)) {
      if (token.startsWith(test.prefix) && test.matches(token)) found.push(token);
    }
    if (!isDue(start)) continue;
    await breathe();
    start = performance.now();
  }
  return found;
}
