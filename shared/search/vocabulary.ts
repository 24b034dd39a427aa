import type { Db } from "../database/open.ts";
import { newTokens } from "./record-matcher.repository.ts";
import { mayMatch, signsIn } from "./signs.ts";
import { breathe, isDue } from "./time-slice.ts";
import type { ScanTest } from "./value-test.ts";

const pageSize = 5000;
const sliceTokens = 1024;

/** All tokens of a database in memory: a cache that takes over what was added since. */
class Vocabulary {
  readonly tokens: string[] = [];
  /** `signsIn` of each. */
  readonly signs: number[] = [];
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
        this.signs.push(signsIn(token));
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
  const { tokens, signs } = vocabulary;
  const found: string[] = [];
  let start = performance.now();
  for (let from = 0; from < tokens.length; from += sliceTokens) {
    const until = Math.min(from + sliceTokens, tokens.length);
    for (let at = from; at < until; at += 1) {
      if (test.signs && !mayMatch(test.signs, signs[at] ?? 0)) continue;
      const token = tokens[at] ?? "";
      if (token.startsWith(test.prefix) && test.matches(token)) found.push(token);
    }
    if (!isDue(start)) continue;
    await breathe();
    start = performance.now();
  }
  return found;
}
