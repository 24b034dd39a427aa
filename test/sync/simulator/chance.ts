/** A random generator with a seed (mulberry32): the same seed gives the same run. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed ^ 0x9e3779b9) >>> 0;
  }

  /** A number from 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  happens(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(from: readonly T[]): T | undefined {
    return from[this.below(from.length)];
  }

  /** Picks by text: the choice stays the same while other elements are added or removed. */
  static favourite<T>(seed: number, from: readonly T[], textOf: (one: T) => string): T | undefined {
    const rankOf = (one: T): number => {
      let hash = seed;
      for (const sign of textOf(one)) hash = Math.imul(hash ^ sign.charCodeAt(0), 0x01000193);
      return new Chance(hash).next();
    };
    return from.toSorted((a, b) => rankOf(b) - rankOf(a))[0];
  }

  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.below(256));
  }
}
