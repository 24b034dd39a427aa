const chunkBits = 6;
const chunkSize = 1 << chunkBits;
const chunksBits = 14;
const chunksEach = 1 << chunksBits;

interface Segment {
  bytes: Uint8Array;
  /** The chunk that goes on where each one ends. */
  next: Uint32Array;
}

/** Where numbers below `size` are marked, but for those in `left`; greater ones are put into `further`. */
export interface Marked {
  words: Uint32Array;
  left: Uint32Array;
  size: number;
  further: number[];
}

/**
 * Many lists of ascending whole numbers, each number with a mark. Of neighbours only the difference is kept, mostly in
 * one byte, in chunks that all lists share: they grow at their ends alone.
 */
export class PackedLists {
  readonly #segments: Segment[] = [];
  /** Chunk 0 stands for none. */
  #chunks = 1;
  #first = new Uint32Array(64);
  /** Where the next byte goes: after the last one. */
  #end = new Uint32Array(64);
  #last = new Int32Array(64).fill(-1);
  #size = 0;

  /** Begins so many lists; returns the number of the first. */
  begin(count: number): number {
    const from = this.#size;
    this.#size += count;
    if (this.#size > this.#first.length) {
      const room = Math.max(this.#size, this.#first.length * 2);
      this.#first = grown(this.#first, new Uint32Array(room));
      this.#end = grown(this.#end, new Uint32Array(room));
      this.#last = grown(this.#last, new Int32Array(room).fill(-1));
    }
    return from;
  }

  /** Adds a number that is not below the last one of the list; one that it holds stays as it is. */
  add(list: number, value: number, mark: 0 | 1): void {
    const last = this.#last[list] ?? -1;
    if (last === value) return;
    this.#last[list] = value;
    let code = ((value - last) << 1) | mark;
    for (; code > 127; code >>>= 7) this.#put(list, (code & 127) | 128);
    this.#put(list, code);
  }

  /** Sets the bits of the numbers of a list, of those alone whose mark is not below `least`. */
  mark(list: number, least: 0 | 1, { words, left, size, further }: Marked): void {
    const end = this.#end[list] ?? 0;
    const lastChunk = end === 0 ? 0 : (end - 1) >>> chunkBits;
    let value = -1;
    let code = 0;
    let shift = 0;
    for (let chunk = this.#first[list] ?? 0; chunk !== 0; ) {
      const segment = this.#segments[chunk >>> chunksBits];
      if (!segment) return;
      const { bytes, next } = segment;
      const within = chunk & (chunksEach - 1);
      const from = within << chunkBits;
      const until = from + (chunk === lastChunk ? ((end - 1) & (chunkSize - 1)) + 1 : chunkSize);
      for (let at = from; at < until; at += 1) {
        const byte = bytes[at] ?? 0;
        code |= (byte & 127) << shift;
        if (byte > 127) {
          shift += 7;
        } else {
          value += code >>> 1;
          if ((code & 1) >= least) {
            if (value >= size) further.push(value);
            else words[value >>> 5] = (words[value >>> 5] ?? 0) | ((1 << (value & 31)) & ~(left[value >>> 5] ?? 0));
          }
          code = 0;
          shift = 0;
        }
      }
      chunk = chunk === lastChunk ? 0 : (next[within] ?? 0);
    }
  }

  #put(list: number, byte: number): void {
    let end = this.#end[list] ?? 0;
    if ((end & (chunkSize - 1)) === 0) end = this.#lengthen(list, end);
    const segment = this.#segments[end >>> (chunkBits + chunksBits)];
    if (segment) segment.bytes[end & (chunksEach * chunkSize - 1)] = byte;
    this.#end[list] = end + 1;
  }

  /** Takes a new chunk for a list; returns where it begins. */
  #lengthen(list: number, end: number): number {
    const chunk = this.#chunks;
    this.#chunks += 1;
    if (chunk >>> chunksBits >= this.#segments.length) {
      this.#segments.push({ bytes: new Uint8Array(chunksEach * chunkSize), next: new Uint32Array(chunksEach) });
    }
    if (end === 0) {
      this.#first[list] = chunk;
    } else {
      const before = (end - 1) >>> chunkBits;
      const segment = this.#segments[before >>> chunksBits];
      if (segment) segment.next[before & (chunksEach - 1)] = chunk;
    }
    return chunk << chunkBits;
  }
}

function grown<T extends Uint32Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
