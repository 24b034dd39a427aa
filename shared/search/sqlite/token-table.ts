const blank = 32;
const basis = 0x811c9dc5;
const prime = 0x01000193;
const encoder = new TextEncoder();

/**
 * Numbers tokens. Looks them up in UTF-8 as it is stored, without making strings. Lives outside the heap, so that the
 * garbage collector does not trace a million of them.
 */
export class TokenTable {
  #numbers = new Int32Array(64).fill(-1);
  #bytes = new Uint8Array(1024);
  #starts = new Uint32Array(64);
  #size = 0;

  /** Each different token gets the next number. */
  constructor(tokens: readonly string[] = []) {
    for (const token of tokens) this.numberOf(token);
  }

  /** The number of a token, which gets the next one if it has none. */
  numberOf(token: string): number {
    const bytes = encoder.encode(token);
    const known = this.#find(hashOf(bytes), bytes, 0, bytes.length);
    if (known >= 0) return known;
    const number = this.#size;
    const start = this.#starts[number] ?? 0;
    if (number + 2 > this.#starts.length) this.#starts = grown(this.#starts, new Uint32Array(number * 2 + 2));
    if (start + bytes.length > this.#bytes.length)
      this.#bytes = grown(this.#bytes, new Uint8Array(start + bytes.length + (start >> 1)));
    this.#bytes.set(bytes, start);
    this.#starts[number + 1] = start + bytes.length;
    this.#size += 1;
    if (this.#size * 2 > this.#numbers.length) this.#spread();
    else this.#place(number);
    return number;
  }

  /** The number of a token; -1: it has none. */
  find(token: string): number {
    const bytes = encoder.encode(token);
    return this.#find(hashOf(bytes), bytes, 0, bytes.length);
  }

  /** Calls with the number of each blank-separated token of a text, in order; -1 for those that have none. */
  each(text: Uint8Array, call: (number: number) => void): void {
    let hash = basis;
    let from = 0;
    for (let at = 0; at <= text.length; at += 1) {
      const byte = at < text.length ? (text[at] ?? blank) : blank;
      if (byte !== blank) {
        hash = Math.imul(hash ^ byte, prime);
        continue;
      }
      if (at > from) call(this.#find(hash, text, from, at));
      hash = basis;
      from = at + 1;
    }
  }

  /** Makes room for twice as many. */
  #spread(): void {
    this.#numbers = new Int32Array(this.#numbers.length * 2).fill(-1);
    for (let number = 0; number < this.#size; number += 1) this.#place(number);
  }

  #place(number: number): void {
    const mask = this.#numbers.length - 1;
    let place = hashOf(this.#bytes.subarray(this.#starts[number], this.#starts[number + 1])) & mask;
    while (this.#numbers[place] !== -1) place = (place + 1) & mask;
    this.#numbers[place] = number;
  }

  #find(hash: number, text: Uint8Array, from: number, until: number): number {
    const mask = this.#numbers.length - 1;
    for (let place = hash & mask; ; place = (place + 1) & mask) {
      const number = this.#numbers[place] ?? -1;
      if (number === -1 || this.#isToken(number, text, from, until)) return number;
    }
  }

  #isToken(number: number, text: Uint8Array, from: number, until: number): boolean {
    const start = this.#starts[number] ?? 0;
    if ((this.#starts[number + 1] ?? 0) - start !== until - from) return false;
    for (let at = from; at < until; at += 1) if (text[at] !== this.#bytes[start + at - from]) return false;
    return true;
  }
}

function hashOf(bytes: Uint8Array): number {
  let hash = basis;
  for (let at = 0; at < bytes.length; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), prime);
  return hash;
}

function grown<T extends Uint8Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
