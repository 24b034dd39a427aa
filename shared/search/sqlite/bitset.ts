/** A set of small whole numbers: the documents that match. */
export class Bitset {
  #words: Uint32Array;

  /** Room for numbers below `size`; it grows when more are added. */
  constructor(size = 0) {
    this.#words = new Uint32Array((size + 31) >>> 5);
  }

  add(value: number): void {
    const at = value >>> 5;
    if (at >= this.#words.length) {
      const grown = new Uint32Array(Math.max(at + 1, this.#words.length * 2));
      grown.set(this.#words);
      this.#words = grown;
    }
    this.#words[at] = (this.#words[at] ?? 0) | (1 << (value & 31));
  }

  /** The bits, in words of 32, with room for numbers below `size`. */
  #room(size: number): Uint32Array {
    const words = (size + 31) >>> 5;
    if (words > this.#words.length) {
      const grown = new Uint32Array(words);
      grown.set(this.#words);
      this.#words = grown;
    }
    return this.#words;
  }

  /** A set of these numbers, the greatest last. */
  static of(values: Uint32Array): Bitset {
    const set = new Bitset((values.at(-1) ?? -1) + 1);
    const words = set.#words;
    for (let at = 0; at < values.length; at += 1) {
      const value = values[at] ?? 0;
      words[value >>> 5] = (words[value >>> 5] ?? 0) | (1 << (value & 31));
    }
    return set;
  }

  delete(value: number): void {
    const at = value >>> 5;
    if (at < this.#words.length) this.#words[at] = (this.#words[at] ?? 0) & ~(1 << (value & 31));
  }

  get byteLength(): number {
    return this.#words.byteLength;
  }

  has(value: number): boolean {
    return (((this.#words[value >>> 5] ?? 0) >>> (value & 31)) & 1) === 1;
  }

  /** Keeps the numbers that are also in the other. */
  and(other: Bitset): this {
    const [words, others] = [this.#words, other.#words];
    const both = Math.min(words.length, others.length);
    for (let at = 0; at < both; at += 1) words[at] = (words[at] ?? 0) & (others[at] ?? 0);
    words.fill(0, both);
    return this;
  }

  /** Removes the numbers of the other. */
  andNot(other: Bitset): this {
    const [words, others] = [this.#words, other.#words];
    const both = Math.min(words.length, others.length);
    for (let at = 0; at < both; at += 1) words[at] = (words[at] ?? 0) & ~(others[at] ?? 0);
    return this;
  }

  /** The numbers in both, as a new set. */
  both(other: Bitset): Bitset {
    const [words, others] = [this.#words, other.#words];
    const found = new Bitset(Math.min(words.length, others.length) * 32);
    const to = found.#words;
    for (let at = 0; at < to.length; at += 1) to[at] = (words[at] ?? 0) & (others[at] ?? 0);
    return found;
  }

  /** The numbers that are in it, or those that are not, in the same order. */
  among(values: Uint32Array, isIn: boolean): Uint32Array {
    const [words, wanted] = [this.#words, isIn ? 1 : 0];
    const found = new Uint32Array(values.length);
    let size = 0;
    for (let at = 0; at < values.length; at += 1) {
      const value = values[at] ?? 0;
      found[size] = value;
      if ((((words[value >>> 5] ?? 0) >>> (value & 31)) & 1) === wanted) size += 1;
    }
    return found.slice(0, size);
  }

  or(other: Bitset): this {
    const others = other.#words;
    const words = this.#room(others.length * 32);
    for (let at = 0; at < others.length; at += 1) words[at] = (words[at] ?? 0) | (others[at] ?? 0);
    return this;
  }

  copy(): Bitset {
    const copied = new Bitset();
    copied.#words = this.#words.slice();
    return copied;
  }

  get isEmpty(): boolean {
    const words = this.#words;
    for (let at = 0; at < words.length; at += 1) if (words[at] !== 0) return false;
    return true;
  }

  /** How many are in it. */
  count(): number {
    const words = this.#words;
    let sum = 0;
    for (let at = 0; at < words.length; at += 1) {
      let word = words[at] ?? 0;
      word -= (word >>> 1) & 0x55555555;
      word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
      sum += (((word + (word >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
    }
    return sum;
  }

  /** The numbers in the set, ascending. */
  toArray(): Uint32Array {
    const words = this.#words;
    const values = new Uint32Array(this.count());
    let size = 0;
    for (let at = 0; at < words.length; at += 1) {
      for (let word = words[at] ?? 0; word !== 0; word &= word - 1) {
        values[size] = at * 32 + 31 - Math.clz32(word & -word);
        size += 1;
      }
    }
    return values;
  }
}
