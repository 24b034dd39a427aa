const blank = 32;
const basis = 0x811c9dc5;
const prime = 0x01000193;
const encoder = new TextEncoder();

/** The numbers of some tokens, found in UTF-8 as it is stored: no text is made of the others. */
export class TokenTable {
  readonly #numbers: Int32Array;
  readonly #bytes: Uint8Array;
  readonly #starts: Uint32Array;
  readonly #mask: number;

  /** Tokens get their place in the list as number. */
  constructor(tokens: readonly string[]) {
    const encoded = tokens.map((token) => encoder.encode(token));
    this.#starts = new Uint32Array(tokens.length + 1);
    for (const [at, bytes] of encoded.entries()) this.#starts[at + 1] = (this.#starts[at] ?? 0) + bytes.length;
    this.#bytes = new Uint8Array(this.#starts[tokens.length] ?? 0);
    let size = 64;
    while (size < tokens.length * 4) size *= 2;
    this.#mask = size - 1;
    this.#numbers = new Int32Array(size).fill(-1);
    for (const [number, bytes] of encoded.entries()) {
      this.#bytes.set(bytes, this.#starts[number]);
      let place = hashOf(bytes) & this.#mask;
      while (this.#numbers[place] !== -1) place = (place + 1) & this.#mask;
      this.#numbers[place] = number;
    }
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

  #find(hash: number, text: Uint8Array, from: number, until: number): number {
    for (let place = hash & this.#mask; ; place = (place + 1) & this.#mask) {
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
  for (const byte of bytes) hash = Math.imul(hash ^ byte, prime);
  return hash;
}
