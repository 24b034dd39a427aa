import { areNear } from "./phrase.ts";

/** Bytes below are words, those from here on say how many other words stand between two. */
export const mostOrdered = 160;
const [endOfTitle, separator] = [254, 255];
const longestGap = endOfTitle - mostOrdered;
const mostBytes = 100_000_000;
/** Before all places. */
const longAgo = -(2 ** 31);

/** Words by their numbers, and by how much they may be displaced (search 5.3). */
export interface WordsNear {
  words: readonly number[];
  slop: number;
  isInTitle: boolean;
}

/**
 * In which order the most frequent words stand in each text: a byte for each of them and for what is between two. So
 * phrases of them are found without the engine, which would compare the places of each word in each document. The texts
 * come in the order of their places.
 */
export class WordOrder {
  #bytes: Uint8Array;
  #used = 0;
  /** Where the text of a place begins; it ends where the next one begins. */
  #starts: Uint32Array;
  #texts = 0;
  #gap = 0;

  constructor(texts: number, bytes: number) {
    this.#starts = new Uint32Array(texts + 1024);
    this.#bytes = new Uint8Array(Math.min(bytes, mostBytes) + 65_536);
  }

  /** Whether there is room for no more: the engine is to be asked. */
  get isFull(): boolean {
    return this.#used > mostBytes;
  }

  /** Begins the text of a place, above all that have one. */
  begin(place: number): void {
    if (place + 2 > this.#starts.length)
      this.#starts = longer(this.#starts, new Uint32Array(Math.ceil((place + 2) * 1.25)));
    this.#starts.fill(this.#used, this.#texts, place + 2);
    this.#texts = place + 1;
    this.#gap = 0;
  }

  /** Puts the next word; negative: one of no matter. */
  put(word: number): void {
    if (word < 0) {
      this.#gap += 1;
      return;
    }
    for (; this.#gap > 0; this.#gap -= Math.min(this.#gap, longestGap))
      this.#append(mostOrdered - 1 + Math.min(this.#gap, longestGap));
    this.#append(word);
  }

  /** Ends a value: no phrase reaches from one into the next. */
  endValue(isTitle: boolean): void {
    this.#gap = 0;
    if (isTitle || this.#bytes[this.#used - 1] !== separator) this.#append(isTitle ? endOfTitle : separator);
  }

  #append(byte: number): void {
    if (this.isFull) {
      this.#bytes = new Uint8Array(0);
      return;
    }
    if (this.#used === this.#bytes.length)
      this.#bytes = longer(this.#bytes, new Uint8Array(Math.ceil(this.#used * 1.25)));
    this.#bytes[this.#used] = byte;
    this.#used += 1;
    this.#starts[this.#texts] = this.#used;
  }

  /**
   * Reads something of each of the texts, so that memory hands them over all at once: one by one, each would be waited
   * for. What it returns means nothing.
   */
  fetch(places: Int32Array): number {
    const [bytes, starts] = [this.#bytes, this.#starts];
    let sum = 0;
    for (let at = 0; at < places.length; at += 1) {
      const place = places[at] ?? 0;
      sum += (bytes[starts[place] ?? 0] ?? 0) + (bytes[(starts[place + 1] ?? 1) - 1] ?? 0);
    }
    return sum;
  }

  /** Tells of a place whether its text has the words near each other, in one value. */
  finder({ words, slop, isInTitle }: WordsNear): (place: number) => boolean {
    if (slop === 0 && words.length < 32) return this.#phraseFinder(words, isInTitle);
    if (words.length === 2) return this.#pairFinder(words, slop, isInTitle);
    const [bytes, starts] = [this.#bytes, this.#starts];
    const isWanted = new Uint8Array(256);
    for (const word of words) isWanted[word] = 1;
    if (isInTitle) isWanted[endOfTitle] = 1;
    const steps = stepsOf(words, slop);
    /** Where the phrase would begin for the last that was met of each of its words. */
    const begins = new Int32Array(words.length);
    return (place) => {
      begins.fill(longAgo);
      const end = starts[place + 1] ?? 0;
      for (let at = starts[place] ?? 0, position = 0; at < end; at += 1) {
        const byte = bytes[at] ?? 0;
        if (isWanted[byte] === 1) {
          if (byte === endOfTitle) return false;
          const spread = spreadAt(words, byte, position, begins, slop);
          if (spread <= slop) return true;
          if (spread < Number.POSITIVE_INFINITY) return areNear(this.#beginsIn(place, words, steps, isInTitle), slop);
        }
        position += steps[byte] ?? 0;
      }
      return false;
    };
  }

  /** One after the other: each bit says whether so many words of the phrase end here. */
  #phraseFinder(words: readonly number[], isInTitle: boolean): (place: number) => boolean {
    const [bytes, starts] = [this.#bytes, this.#starts];
    const fits = new Int32Array(256);
    for (const [index, word] of words.entries()) fits[word] = (fits[word] ?? 0) | (1 << index);
    const whole = 1 << (words.length - 1);
    return (place) => {
      const end = starts[place + 1] ?? 0;
      for (let at = starts[place] ?? 0, ended = 0; at < end; at += 1) {
        const byte = bytes[at] ?? 0;
        if (isInTitle && byte === endOfTitle) return false;
        ended = ((ended << 1) | 1) & (fits[byte] ?? 0);
        if ((ended & whole) !== 0) return true;
      }
      return false;
    };
  }

  /** Two words: around each place of the rarer one, the other. */
  #pairFinder(words: readonly number[], slop: number, isInTitle: boolean): (place: number) => boolean {
    const [bytes, starts] = [this.#bytes, this.#starts];
    const buffer = Buffer.from(bytes.buffer, 0, this.#used);
    // The next place of the word behind the start of the text before: mostly the texts come in their order.
    let [next, before] = [-1, 0];
    const rarer = Math.max(...words);
    const isBeside = this.#besideFinder(words, slop);
    return (place) => {
      const from = starts[place] ?? 0;
      const all = starts[place + 1] ?? 0;
      const titleEnd = isInTitle ? bytes.indexOf(endOfTitle, from) : all;
      const end = titleEnd < 0 ? all : Math.min(titleEnd, all);
      if (next < from || from < before) next = buffer.indexOf(rarer, from);
      before = from;
      while (next >= 0 && next < end) {
        if (isBeside(next, from, end)) return true;
        next = buffer.indexOf(rarer, next + 1);
      }
      if (next < 0) next = bytes.length;
      return false;
    };
  }

  /** Tells of a place of the rarer of two words whether the other is near it, before the end and not before the start. */
  #besideFinder(words: readonly number[], slop: number): (at: number, from: number, end: number) => boolean {
    const bytes = this.#bytes;
    const steps = stepsOf(words, slop);
    const rarer = Math.max(...words);
    const other = Math.min(...words);
    const ahead = words[0] === rarer ? 1 : -1;
    return (at, from, end) => {
      for (let next = at + 1, distance = 1; next < end && distance <= slop + ahead; next += 1) {
        const byte = bytes[next] ?? 0;
        if (byte === other) return true;
        distance += steps[byte] ?? 0;
      }
      for (let next = at - 1, distance = 0; next >= from; next -= 1) {
        const byte = bytes[next] ?? 0;
        distance += steps[byte] ?? 0;
        if (distance > slop - ahead) return false;
        if (byte === other) return true;
      }
      return false;
    };
  }

  /** All places where the phrase would begin for each of its words. */
  #beginsIn(place: number, words: readonly number[], steps: Int32Array, isInTitle: boolean): number[][] {
    const begins = words.map((): number[] => []);
    let position = 0;
    for (const byte of this.#bytes.subarray(this.#starts[place], this.#starts[place + 1])) {
      if (isInTitle && byte === endOfTitle) break;
      for (const [index, word] of words.entries()) if (word === byte) begins[index]?.push(position - index);
      position += steps[byte] ?? 0;
    }
    return begins;
  }
}

/** By how much each byte moves on; values lie so far apart that no words of two of them are near. */
function stepsOf(words: readonly number[], slop: number): Int32Array {
  const steps = new Int32Array(256).fill(1);
  for (let gap = 1; gap <= longestGap; gap += 1) steps[mostOrdered - 1 + gap] = gap;
  return steps.fill(slop + words.length + 1, endOfTitle);
}

/**
 * Takes in a word; how far the last begins lie apart. Infinite: those of other words were too long ago. One that stands
 * in the phrase more than once hands its places down, which lie nearest to each other in the order of the phrase.
 */
function spreadAt(words: readonly number[], word: number, position: number, begins: Int32Array, slop: number): number {
  let place = position;
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let own = Number.NEGATIVE_INFINITY;
  for (let index = words.length - 1; index >= 0; index -= 1) {
    if (words[index] === word) {
      const before = (begins[index] ?? 0) + index;
      begins[index] = place - index;
      if (place === position) own = position - index;
      place = before;
    }
    const begin = begins[index] ?? 0;
    low = Math.min(low, begin);
    high = Math.max(high, begin);
  }
  return low < own - slop ? Number.POSITIVE_INFINITY : high - low;
}

function longer<T extends Uint8Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
