import type { Db } from "../database/open.ts";
import { breathe, Slices } from "../kernel/time-slice.ts";
import { newTokens } from "./record-matcher.repository.ts";
import { nextLikely, signsIn } from "./signs.ts";
import type { ScanTest } from "./value-test.ts";

const pageSize = 5000;
const sliceTokens = 1024;

/** Tokens are kept in groups by so many of their first signs. */
const groupSigns = 2;
const groupOf = (text: string): string => text.slice(0, groupSigns);

/** Tokens, and `signsIn` of each. */
interface Group {
  tokens: string[];
  signs: number[];
}

/** All tokens of a database in memory: a cache that takes over what was added since. */
class Vocabulary {
  readonly #groups = new Map<string, Group>();
  #last = 0;
  #refreshing: Promise<void> = Promise.resolve();

  /** Those among which all are that begin with a prefix. */
  groups(prefix: string): Iterable<Group> {
    if (prefix.length < groupSigns) return this.#groups.values();
    const group = this.#groups.get(groupOf(prefix));
    return group ? [group] : [];
  }

  refresh(db: Db): Promise<void> {
    this.#refreshing = this.#refreshing.catch(() => undefined).then(() => this.#follow(db));
    return this.#refreshing;
  }

  async #follow(db: Db): Promise<void> {
    for (;;) {
      const rows = await newTokens(db, this.#last, pageSize);
      for (const { id, token } of rows) {
        const group = this.#groups.get(groupOf(token)) ?? { tokens: [], signs: [] };
        this.#groups.set(groupOf(token), group);
        group.tokens.push(token);
        group.signs.push(signsIn(token));
        this.#last = id;
      }
      if (rows.length < pageSize) return;
      await breathe();
    }
  }
}

const known = new WeakMap<Db, Vocabulary>();

/** Brings the tokens of a database into memory. */
export async function vocabularyOf(db: Db): Promise<Vocabulary> {
  const vocabulary = known.get(db) ?? new Vocabulary();
  known.set(db, vocabulary);
  await vocabulary.refresh(db);
  return vocabulary;
}

/** The tokens that a pattern, a fuzzy word or a range matches; gives way to other work every few milliseconds. */
export async function matchingTokens(db: Db, test: ScanTest): Promise<string[]> {
  const vocabulary = await vocabularyOf(db);
  const found: string[] = [];
  const slices = new Slices();
  for (const { tokens, signs } of vocabulary.groups(test.prefix)) {
    for (let from = 0; from < tokens.length; from += sliceTokens) {
      const until = Math.min(from + sliceTokens, tokens.length);
      const likely = (place: number): number => (test.signs ? nextLikely(test.signs, signs, place, until) : place);
      for (let at = likely(from); at < until; at = likely(at + 1)) {
        const token = tokens[at] ?? "";
        if (token.startsWith(test.prefix) && test.matches(token)) found.push(token);
      }
      await slices.next();
    }
  }
  return found;
}
