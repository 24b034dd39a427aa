import type { Db } from "../../database/open.ts";
import { Slices, yieldToEventLoop } from "../../kernel/time-slice.ts";
import { letterMask, nextCandidate } from "../language/letter-mask.ts";
import type { ScanTest } from "../language/value-test.ts";
import { newTokens } from "./record-matcher.repository.ts";

const pageSize = 5000;
const sliceTokens = 1024;

/** Tokens are grouped by so many of their first characters. */
const groupLength = 2;
const groupOf = (text: string): string => text.slice(0, groupLength);

/** Tokens, and the letter mask of each. */
interface Group {
  tokens: string[];
  masks: number[];
}

/** All tokens of a database in memory, a cache that follows what is added. */
class Vocabulary {
  readonly #groups = new Map<string, Group>();
  #last = 0;
  #refreshing: Promise<void> = Promise.resolve();

  /** The groups that hold all tokens with a prefix. */
  groups(prefix: string): Iterable<Group> {
    if (prefix.length < groupLength) return this.#groups.values();
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
        const group = this.#groups.get(groupOf(token)) ?? { tokens: [], masks: [] };
        this.#groups.set(groupOf(token), group);
        group.tokens.push(token);
        group.masks.push(letterMask(token));
        this.#last = id;
      }
      if (rows.length < pageSize) return;
      await yieldToEventLoop();
    }
  }
}

const vocabularies = new WeakMap<Db, Vocabulary>();

/** Brings the tokens of a database into memory. */
export async function vocabularyOf(db: Db): Promise<Vocabulary> {
  const vocabulary = vocabularies.get(db) ?? new Vocabulary();
  vocabularies.set(db, vocabulary);
  await vocabulary.refresh(db);
  return vocabulary;
}

/** The tokens that a pattern, a fuzzy word or a range matches; yields to the event loop every few milliseconds. */
export async function matchingTokens(db: Db, test: ScanTest): Promise<string[]> {
  const vocabulary = await vocabularyOf(db);
  const found: string[] = [];
  const slices = new Slices();
  for (const { tokens, masks } of vocabulary.groups(test.prefix)) {
    for (let from = 0; from < tokens.length; from += sliceTokens) {
      const until = Math.min(from + sliceTokens, tokens.length);
      const likely = (place: number): number =>
        test.letters ? nextCandidate(test.letters, masks, place, until) : place;
      for (let at = likely(from); at < until; at = likely(at + 1)) {
        const token = tokens[at] ?? "";
        if (token.startsWith(test.prefix) && test.matches(token)) found.push(token);
      }
      await slices.next();
    }
  }
  return found;
}
