import type { Db } from "../../../database/open.ts";
import { Slices, yieldToEventLoop } from "../../../kernel/time-slice.ts";
import { separator } from "../index-tokens.ts";
import type { RecordValues } from "../record-values.ts";
import { TokenTable } from "../token-table.ts";
import { changesAfter, lastSeq, type TextBytes, textPage, textsOf } from "./proximity-index.repository.ts";
import { maxWords, WordOrder } from "./word-order.ts";

/** The sample that says which words are frequent: a part of the texts, and at least so many. */
const [minSample, sampledPart] = [2000, 1 / 50];
/** Multiples of the golden section, without their whole part, are spread evenly and have no period. */
const goldenSection = 0.6180339887498949;
/** A word is frequent when one text of so many has it. */
const frequentIn = 16;
const pageSize = 250;
/** A search does not wait for more changes than these; the engine answers it. */
const waitsForAtMost = 500;

interface Loaded {
  /** The frequent words, then the separator of values. */
  words: TokenTable;
  /** How many frequent words there are. */
  count: number;
  order: WordOrder;
  /** The last change that `order` knows. */
  seq: number;
}

/**
 * Finds words near each other without the full-text engine, which compares the positions of frequent words in each text.
 * Holds nothing until `load`, and follows each change of the database.
 */
export class ProximityIndex {
  readonly #db: Db;
  readonly #values: RecordValues;
  #loaded: Loaded | undefined;
  /** The generation of the values that `#loaded` has followed. */
  #generation = 0;
  #following: Promise<void> = Promise.resolve();

  constructor(db: Db, values: RecordValues) {
    this.#db = db;
    this.#values = values;
  }

  /** Reads all texts once: some seconds for a hundred thousand. Yields to the event loop. */
  async load(): Promise<void> {
    this.#loaded = undefined;
    const { generation } = this.#values;
    const loaded = await started(this.#db, this.#values.size);
    for (let after = -1; ; ) {
      const rows = await textPage(this.#db, after, pageSize);
      for (const row of rows) take(loaded, row);
      after = rows.at(-1)?.doc ?? after;
      await yieldToEventLoop();
      if (rows.length < pageSize) break;
    }
    await follow(this.#db, loaded);
    this.#loaded = loaded;
    this.#generation = generation;
  }

  /** Takes over what has changed. While many changes are taken over, or when that fails, the engine answers. */
  async refresh(): Promise<void> {
    const loaded = this.#loaded;
    const { generation } = this.#values;
    if (!loaded || generation === this.#generation) return;
    this.#following = this.#following
      .then(() => follow(this.#db, loaded))
      .then(() => {
        this.#generation = Math.max(this.#generation, generation);
      })
      .catch(() => {
        this.#loaded = undefined;
      });
    if (loaded.order.stale > this.#values.size / 2 + pageSize) this.load().catch(() => undefined);
    else if (generation - this.#generation <= waitsForAtMost) await this.#following;
  }

  /** Decides whether a document has the words near each other in one value; undefined: only the engine can. */
  finder(tokens: readonly string[], slop: number): ((doc: number) => boolean) | undefined {
    const loaded = this.#generation === this.#values.generation ? this.#loaded : undefined;
    if (!loaded || loaded.order.isFull) return undefined;
    const words = tokens.map((token) => loaded.words.find(token));
    return words.every((word) => word >= 0 && word < loaded.count) ? loaded.order.finder(words, slop) : undefined;
  }
}

/** Finds out in a sample which words are frequent. */
async function started(db: Db, size: number): Promise<Loaded> {
  const seq = await lastSeq(db);
  const counts = new Map<string, number>();
  const decoder = new TextDecoder();
  const slices = new Slices();
  let sampled = 0;
  for (let from = 0; from < Math.min(Math.max(minSample, size * sampledPart), size); from += pageSize) {
    const docs = Array.from(
      { length: pageSize },
      (_, at) => 1 + Math.floor((((from + at) * goldenSection) % 1) * size),
    );
    for (const { text } of await textsOf(db, docs)) {
      sampled += 1;
      for (const word of new Set(decoder.decode(text).split(" "))) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    await slices.next();
  }
  for (const other of ["", separator]) counts.delete(other);
  const words = [...counts]
    .filter(([, count]) => count > 1 && count * frequentIn >= sampled)
    .sort((a, b) => b[1] - a[1])
    .slice(0, maxWords)
    .map(([word]) => word);
  return { words: new TokenTable([...words, separator]), count: words.length, order: new WordOrder(), seq };
}

function take({ words, count, order }: Loaded, { doc, text }: TextBytes): void {
  order.begin(doc);
  words.each(text, (word) => {
    if (word === count) order.endValue();
    else order.put(word);
  });
  order.endText();
}

async function follow(db: Db, loaded: Loaded): Promise<void> {
  let after = { seq: loaded.seq, doc: Number.MAX_SAFE_INTEGER };
  for (;;) {
    const changes = await changesAfter(db, after, pageSize);
    const docs = changes.map(({ doc }) => doc);
    for (const doc of docs) loaded.order.delete(doc);
    for (const text of docs.length === 0 ? [] : await textsOf(db, docs)) take(loaded, text);
    after = changes.at(-1) ?? after;
    loaded.seq = after.seq;
    if (changes.length < pageSize) return;
    await yieldToEventLoop();
  }
}
