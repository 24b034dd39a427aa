import { areNear } from "../../language/phrase.ts";

/** Bytes below are words. The next ones are gaps: how many other words stand between two. */
export const maxWords = 160;
const [endOfText, separator] = [254, 255];
const longestGap = endOfText - maxWords;
const maxBytes = 100_000_000;
const noText = -1;
/** Before all positions. */
const longAgo = -(2 ** 31);

/** The order of the most frequent words in each text: one byte for each of them, and one for each gap. */
export class WordOrder {
  #bytes = new Uint8Array(65_536);
  #used = 0;
  /** Where the text of a document starts. */
  #starts = new Int32Array(1024).fill(noText);
  #gap = 0;
  /** Texts that were deleted or replaced; their bytes stay. */
  stale = 0;

  /** The limit of memory is reached, and nothing can be found any more. */
  get isFull(): boolean {
    return this.#used > maxBytes;
  }

  /** Begins the text of a document, in place of the one that it had. */
  begin(doc: number): void {
    this.delete(doc);
    if (doc >= this.#starts.length) {
      const starts = new Int32Array(Math.ceil((doc + 1) * 1.25)).fill(noText);
      starts.set(this.#starts);
      this.#starts = starts;
    }
    this.#starts[doc] = this.#used;
    this.#gap = 0;
  }

  /** Puts the next word; a negative number stands for one that is not frequent. */
  put(word: number): void {
    if (word < 0) {
      this.#gap += 1;
      return;
    }
    for (; this.#gap > 0; this.#gap -= Math.min(this.#gap, longestGap))
      this.#append(maxWords - 1 + Math.min(this.#gap, longestGap));
    this.#append(word);
  }

  /** Ends a value: no phrase reaches from one value into the next. */
  endValue(): void {
    this.#gap = 0;
    if (this.#bytes[this.#used - 1] !== separator) this.#append(separator);
  }

  endText(): void {
    this.#append(endOfText);
  }

  delete(doc: number): void {
    if ((this.#starts[doc] ?? noText) === noText) return;
    this.#starts[doc] = noText;
    this.stale += 1;
  }

  #append(byte: number): void {
    if (this.isFull) {
      this.#bytes = new Uint8Array(0);
      return;
    }
    if (this.#used === this.#bytes.length) {
      const bytes = new Uint8Array(Math.ceil(this.#used * 1.25));
      bytes.set(this.#bytes);
      this.#bytes = bytes;
    }
    this.#bytes[this.#used] = byte;
    this.#used += 1;
  }

  /** Decides whether a document has the words in one value with at most `slop` displacement (search 5.3). */
  finder(words: readonly number[], slop: number): (doc: number) => boolean {
    const [bytes, starts] = [this.#bytes, this.#starts];
    const isWanted = new Uint8Array(256);
    for (const word of [...words, endOfText]) isWanted[word] = 1;
    const steps = stepsOf(words, slop);
    /** For each word of the phrase: where the phrase would begin for its last position. */
    const begins = new Int32Array(words.length);
    return (doc) => {
      const start = starts[doc] ?? noText;
      if (start === noText) return false;
      begins.fill(longAgo);
      for (let at = start, position = 0; ; at += 1) {
        const byte = bytes[at] ?? endOfText;
        if (isWanted[byte] === 1) {
          if (byte === endOfText) return false;
          const spread = spreadAt(words, byte, position, begins, slop);
          if (spread <= slop) return true;
          if (spread < Number.POSITIVE_INFINITY) return areNear(this.#placesIn(start, words, steps), slop);
        }
        position += steps[byte] ?? 0;
      }
    };
  }

  /** The positions of each word of the phrase. */
  #placesIn(start: number, words: readonly number[], steps: Int32Array): number[][] {
    const placesOf = new Map(words.map((word): [number, number[]] => [word, []]));
    for (let at = start, position = 0; ; at += 1) {
      const byte = this.#bytes[at] ?? endOfText;
      if (byte === endOfText) return words.map((word) => placesOf.get(word) ?? []);
      placesOf.get(byte)?.push(position);
      position += steps[byte] ?? 0;
    }
  }
}

/** How far each byte moves on. Values lie so far apart that no words of two of them are near. */
function stepsOf(words: readonly number[], slop: number): Int32Array {
  const steps = new Int32Array(256).fill(1);
  for (let gap = 1; gap <= longestGap; gap += 1) steps[maxWords - 1 + gap] = gap;
  steps[separator] = slop + words.length + 1;
  return steps;
}

/**
 * Takes in a word and returns how far the last begins lie apart; infinite when those of other words are too far back. A
 * word that stands in the phrase more than once hands its positions down: in the order of the phrase they are nearest.
 */
function spreadAt(words: readonly number[], word: number, position: number, begins: Int32Array, slop: number): number {
  let latest = position;
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let own = Number.NEGATIVE_INFINITY;
  for (let index = words.length - 1; index >= 0; index -= 1) {
    if (words[index] === word) {
      const before = (begins[index] ?? 0) + index;
      begins[index] = latest - index;
      if (latest === position) own = position - index;
      latest = before;
    }
    const begin = begins[index] ?? 0;
    low = Math.min(low, begin);
    high = Math.max(high, begin);
  }
  return low < own - slop ? Number.POSITIVE_INFINITY : high - low;
}
