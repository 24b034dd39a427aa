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

  /** A set of these numbers. */
  static of(values: Uint32Array): Bitset {
    const set = new Bitset((values.at(-1) ?? -1) + 1);
    for (const value of values) set.add(value);
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

  /** Keeps what is also in the other. */
  and(other: Bitset): this {
    for (let at = 0; at < this.#words.length; at += 1)
      this.#words[at] = (this.#words[at] ?? 0) & (other.#words[at] ?? 0);
    return this;
  }

  /** Takes out what is in the other. */
  andNot(other: Bitset): this {
    for (let at = 0; at < this.#words.length; at += 1)
      this.#words[at] = (this.#words[at] ?? 0) & ~(other.#words[at] ?? 0);
    return this;
  }

  or(other: Bitset): this {
    if (other.#words.length > this.#words.length) {
      const grown = new Uint32Array(other.#words.length);
      grown.set(this.#words);
      this.#words = grown;
    }
    for (let at = 0; at < other.#words.length; at += 1)
      this.#words[at] = (this.#words[at] ?? 0) | (other.#words[at] ?? 0);
    return this;
  }

  copy(): Bitset {
    const copied = new Bitset();
    copied.#words = this.#words.slice();
    return copied;
  }

  get isEmpty(): boolean {
    for (let at = 0; at < this.#words.length; at += 1) if (this.#words[at] !== 0) return false;
    return true;
  }

  /** How many are in it. */
  count(): number {
    let sum = 0;
    for (let at = 0; at < this.#words.length; at += 1) {
      let word = this.#words[at] ?? 0;
      word -= (word >>> 1) & 0x55555555;
      word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
      sum += (((word + (word >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
    }
    return sum;
  }

  /** Calls with each of its numbers, ascending. */
  each(call: (value: number) => void): void {
    for (let at = 0; at < this.#words.length; at += 1) {
      let word = this.#words[at] ?? 0;
      while (word !== 0) {
        call(at * 32 + 31 - Math.clz32(word & -word));
        word &= word - 1;
      }
    }
  }

  /** Its numbers, ascending. */
  toArray(): Uint32Array {
    const values = new Uint32Array(this.count());
    let size = 0;
    this.each((value) => {
      values[size] = value;
      size += 1;
    });
    return values;
  }
}
