import type { Db } from "../database/open.ts";
import { breathe, Slices } from "../kernel/time-slice.ts";
import { Bitset } from "./bitset.ts";
import { separator } from "./index-tokens.ts";
import { keywordsOfDocs, lastSeq, type TextBytes, textBytesOf, textBytesPage } from "./kept-lists.repository.ts";
import { PackedLists } from "./packed-lists.ts";
import { Places } from "./places.ts";
import { keywordDocs, keywordsOf, listPaths, sampledTexts } from "./record-matcher.repository.ts";
import { changedDocs } from "./record-values.repository.ts";
import type { RecordValues } from "./record-values.ts";
import { readWords } from "./text-expression.ts";
import { TokenTable } from "./token-table.ts";
import { isInRange, type KeywordTest } from "./value-test.ts";
import { mostOrdered, WordOrder } from "./word-order.ts";
import { WordParts } from "./word-parts.ts";

/** Documents of the sample: a part of them, and so many at least. */
const [leastSample, sampledPart] = [2000, 1 / 50];
/** Multiples of the golden section, without their whole part, lie everywhere and in step with nothing. */
const spread = 0.6180339887498949;
/** Words are kept that more than one document of the sample has, and of neighbours those that many have. */
const mostWords = 32_000;
const neighboursIn = 16;
/** Keywords of a path that everybody asks ranges of. */
const rangedPath = "metadata.publication_date";
const mostKeywords = 20_000;
const exampleCount = 300;
const pageSize = 250;
const fetchedAtOnce = 256;
/** Of more changes a search does not wait until they are taken over. */
const waitsForAtMost = 500;

/** The documents of frequent words, of frequent words side by side, of phrases of these, and of the publication dates. */
interface Kept {
  lists: PackedLists;
  /** The number after them is that of the separator of values. */
  words: TokenTable;
  /** Some of the words, the frequent ones first. */
  examples: readonly string[];
  /** Lists of the words come first, then those of each two of the first so many words. */
  pairsFrom: number;
  neighbours: number;
  /** Instead of a list, the documents of those, by parts of the texts. */
  parts: WordParts;
  /** In which order those stand in each text. */
  order: WordOrder;
  ranged: { path: number; lists: Map<string, number> } | undefined;
  places: Places;
  seq: number;
}

/**
 * What takes the database long to find, kept in memory and always as the database is: nothing of it until `learn`.
 */
export class KeptLists {
  readonly #db: Db;
  readonly #values: RecordValues;
  #kept: Kept | undefined;
  /** Of the values when they were last followed. */
  #generation = 0;
  #following: Promise<void> = Promise.resolve();

  constructor(db: Db, values: RecordValues) {
    this.#db = db;
    this.#values = values;
  }

  /** Reads all texts once, which takes seconds for a hundred thousand; gives way often. */
  async learn(): Promise<void> {
    this.#kept = undefined;
    const { generation } = this.#values;
    const kept = await startedLists(this.#db, this.#values.size);
    await takeAll(this.#db, kept);
    await follow(this.#db, kept);
    this.#kept = kept;
    this.#generation = generation;
  }

  /** Takes over what has changed. After very many changes nothing is kept for a while, and the database is asked. */
  async refresh(): Promise<void> {
    const kept = this.#kept;
    const { generation } = this.#values;
    if (!kept || generation === this.#generation) return;
    this.#following = this.#following
      .then(() => follow(this.#db, kept))
      .then(() => {
        this.#generation = Math.max(this.#generation, generation);
      })
      .catch(() => {
        this.#kept = undefined;
      });
    if (kept.places.empty > this.#values.size / 2 + pageSize) this.learn().catch(() => undefined);
    else if (generation - this.#generation <= waitsForAtMost) await this.#following;
  }

  /** Some of the words that are kept, the most frequent first. */
  get examples(): readonly string[] {
    return this.#kept?.examples ?? [];
  }

  get #current(): Kept | undefined {
    return this.#generation === this.#values.generation ? this.#kept : undefined;
  }

  /** Adds what a full-text expression finds; false: the engine is to be asked. */
  addDocs(expression: string, found: Bitset): boolean {
    const kept = this.#current;
    const asked = kept && readWords(expression);
    const list = asked ? listOf(kept, asked.tokens) : undefined;
    if (!kept || !asked || list === undefined) return false;
    if (list < kept.neighbours) kept.parts.addDocs(list, found, asked.isInTitle);
    else addLists(kept, [list], found, asked.isInTitle);
    return true;
  }

  /** Whether `addDocs` would add them. */
  hasDocs(expression: string): boolean {
    const kept = this.#current;
    return kept !== undefined && listOf(kept, readWords(expression)?.tokens ?? []) !== undefined;
  }

  /** All documents that have frequent words near each other, and some more. */
  together(tokens: readonly string[], slop: number): Bitset {
    const kept = this.#current;
    const found = new Bitset(this.#values.size);
    const words = tokens.map((token) => kept?.words.find(token) ?? -1);
    kept?.parts.addTogether(words, slop + words.length - 1, found);
    return found;
  }

  /** Adds those of some documents that have words near each other, in one value; undefined: the engine is to be asked. */
  nearFinder(
    tokens: readonly string[],
    slop: number,
    isInTitle: boolean,
  ): ((docs: Uint32Array, found: Bitset) => void) | undefined {
    const kept = this.#current;
    if (!kept || kept.order.isFull) return undefined;
    const words = tokens.map((token) => kept.words.find(token));
    if (!words.every((word) => word >= 0 && word < kept.neighbours)) return undefined;
    const isNear = kept.order.finder({ words, slop, isInTitle });
    return (docs, found) => {
      for (let from = 0; from < docs.length; from += fetchedAtOnce) {
        const some = docs.subarray(from, from + fetchedAtOnce);
        const places = kept.places.placesOf(some);
        kept.order.fetch(places);
        for (let at = 0; at < places.length; at += 1) if (isNear(places[at] ?? 0)) found.add(some[at] ?? 0);
      }
    };
  }

  /** Adds the documents whose keyword lies in a range; false: the database is to be asked. */
  addKeywords(path: number, test: KeywordTest & { type: "range" }, found: Bitset): boolean {
    const kept = this.#current;
    if (!kept?.ranged || kept.ranged.path !== path) return false;
    const inRange = [...kept.ranged.lists].flatMap(([word, list]) => (isInRange(word, test) ? [list] : []));
    addLists(kept, inRange, found, false);
    return true;
  }
}

/** The list of a word, or of two side by side. */
function listOf({ words, pairsFrom, neighbours }: Kept, tokens: readonly string[]): number | undefined {
  const [first = -1, second = -1] = tokens.map((token) => words.find(token));
  if (tokens.length === 1) return first < 0 ? undefined : first;
  const areKept = tokens.length === 2 && Math.min(first, second) >= 0 && Math.max(first, second) < neighbours;
  return areKept ? pairsFrom + first * neighbours + second : undefined;
}

/** Adds the documents of lists. */
function addLists({ lists, places }: Kept, wanted: readonly number[], found: Bitset, isInTitle: boolean): void {
  places.mark(found, (marked) => {
    for (const list of wanted) lists.mark(list, isInTitle ? 1 : 0, marked);
  });
}

/** Which words these are, some hundred documents tell. */
async function startedLists(db: Db, size: number): Promise<Kept> {
  const seq = await lastSeq(db);
  const counts = new Map<string, number>();
  const slices = new Slices();
  let [sampled, length] = [0, 0];
  for (let from = 0; from < Math.min(Math.max(leastSample, size * sampledPart), size); from += pageSize) {
    const docs = Array.from({ length: pageSize }, (_, at) => 1 + Math.floor((((from + at) * spread) % 1) * size));
    for (const text of await sampledTexts(db, docs)) {
      sampled += 1;
      const all = text.split(" ");
      length += all.length;
      for (const word of new Set(all)) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    await slices.next();
  }
  counts.delete("");
  counts.delete(separator);
  const frequent = [...counts].filter(([, count]) => count > 1).sort((a, b) => b[1] - a[1]);
  const words = frequent.slice(0, mostWords);
  const firstOthers = words.findIndex(([, count], at) => at === mostOrdered || count * neighboursIn < sampled);
  const neighbours = firstOthers < 0 ? words.length : firstOthers;
  const kept: Kept = {
    lists: new PackedLists(),
    words: new TokenTable([...words.map(([word]) => word), separator]),
    examples: words.slice(0, exampleCount).map(([word]) => word),
    pairsFrom: words.length,
    neighbours,
    parts: new WordParts(neighbours, size),
    order: new WordOrder(size, (length / Math.max(1, sampled)) * size),
    ranged: undefined,
    places: new Places(),
    seq,
  };
  kept.lists.begin(words.length + neighbours ** 2);
  return kept;
}

async function takeAll(db: Db, kept: Kept): Promise<void> {
  for (let after = -1; ; ) {
    const rows = await textBytesPage(db, after, pageSize);
    for (const row of rows) takeTexts(kept, row, kept.places.takeFirst(row.doc));
    after = rows.at(-1)?.doc ?? after;
    await breathe();
    if (rows.length < pageSize) break;
  }
  const path = (await listPaths(db)).find((row) => row.path === rangedPath)?.id;
  if (path === undefined) return;
  const words = await keywordsOf(db, path, "", "", mostKeywords);
  if (words.length === mostKeywords) return;
  kept.ranged = { path, lists: new Map() };
  for (const word of words) {
    await keywordDocs(db, path, word, (doc) => takeKeyword(kept, word, doc));
    await breathe();
  }
}

/** Words of the title first: the mark says where a word was met first. */
function takeTexts(kept: Kept, { doc, title, others }: TextBytes, place: number): void {
  const { lists, words, order, pairsFrom, neighbours, parts } = kept;
  let before = -1;
  let mark: 0 | 1 = 1;
  order.begin(place);
  parts.begin();
  const take = (word: number): void => {
    if (word === pairsFrom) {
      before = -1;
      parts.beginValue();
      order.endValue(false);
      return;
    }
    const isNeighbour = word >= 0 && word < neighbours;
    if (word >= 0 && !isNeighbour) lists.add(word, place, mark);
    if (isNeighbour && before >= 0) lists.add(pairsFrom + before * neighbours + word, place, mark);
    before = isNeighbour ? word : -1;
    order.put(before);
    parts.put(before, doc, mark === 1);
  };
  words.each(title, take);
  order.endValue(true);
  before = -1;
  mark = 0;
  parts.beginValue();
  words.each(others, take);
}

function takeKeyword({ ranged, lists, places }: Kept, word: string, doc: number): void {
  const place = places.placeOf(doc);
  if (!ranged || place < 0) return;
  const list = ranged.lists.get(word) ?? lists.begin(1);
  ranged.lists.set(word, list);
  lists.add(list, place, 0);
}

async function follow(db: Db, kept: Kept): Promise<void> {
  let after = { seq: kept.seq, doc: Number.MAX_SAFE_INTEGER };
  for (;;) {
    const rows = await changedDocs(db, after, pageSize);
    const docs = rows.map(({ doc }) => doc);
    if (docs.length > 0) {
      const texts = await textBytesOf(db, docs);
      const keywords = kept.ranged ? await keywordsOfDocs(db, kept.ranged.path, docs) : [];
      for (const doc of docs) kept.parts.delete(doc);
      for (const doc of docs) kept.places.leave(doc);
      for (const text of texts) takeTexts(kept, text, kept.places.take(text.doc));
      keywords.sort((a, b) => kept.places.placeOf(a.doc) - kept.places.placeOf(b.doc));
      for (const { text, doc } of keywords) takeKeyword(kept, text, doc);
    }
    const last = rows.at(-1);
    if (last) after = { seq: last.seq, doc: last.doc };
    kept.seq = after.seq;
    if (rows.length < pageSize) return;
    await breathe();
  }
}
