import type { Bitset } from "./bitset.ts";

/** A list of small whole numbers for each document, all in one array. */
export class NumberLists {
  #starts = new Uint32Array(0);
  #counts = new Uint16Array(0);
  #pool = new Uint32Array(1024);
  #used = 0;
  #live = 0;

  /** Replaces the list of a document. */
  set(doc: number, numbers: readonly number[]): void {
    this.#makeRoom(doc + 1);
    const old = this.#counts[doc] ?? 0;
    this.#live += numbers.length - old;
    if (numbers.length > old) this.#append(doc, numbers.length);
    this.#counts[doc] = numbers.length;
    this.#pool.set(numbers, this.#starts[doc] ?? 0);
  }

  /** Counts in `counted`, by number, the lists of documents that hold it; of some documents only those in `among`. */
  count(docs: Uint32Array, counted: Int32Array, among?: Bitset): void {
    const [starts, counts, pool] = [this.#starts, this.#counts, this.#pool];
    for (const doc of docs) {
      if (among && !among.has(doc)) continue;
      const start = starts[doc] ?? 0;
      const end = start + (counts[doc] ?? 0);
      for (let at = start; at < end; at += 1) {
        const number = pool[at] ?? 0;
        counted[number] = (counted[number] ?? 0) + 1;
      }
    }
  }

  /** Whether the list of a document holds one of the numbers. */
  hasAny(doc: number, numbers: ReadonlySet<number>): boolean {
    const start = this.#starts[doc] ?? 0;
    const end = start + (this.#counts[doc] ?? 0);
    for (let at = start; at < end; at += 1) if (numbers.has(this.#pool[at] ?? 0)) return true;
    return false;
  }

  #append(doc: number, count: number): void {
    if (this.#used + count > this.#pool.length) this.#compact(count);
    this.#starts[doc] = this.#used;
    this.#used += count;
  }

  /** Leaves out what was replaced. */
  #compact(more: number): void {
    const pool = new Uint32Array(Math.ceil((this.#live + more) * 1.5) + 1024);
    let used = 0;
    for (let doc = 0; doc < this.#starts.length; doc += 1) {
      const start = this.#starts[doc] ?? 0;
      const count = this.#counts[doc] ?? 0;
      pool.set(this.#pool.subarray(start, start + count), used);
      this.#starts[doc] = used;
      used += count;
    }
    this.#pool = pool;
    this.#used = used;
  }

  #makeRoom(size: number): void {
    if (size <= this.#starts.length) return;
    const room = Math.max(1024, Math.ceil(size * 1.5));
    const [starts, counts] = [new Uint32Array(room), new Uint16Array(room)];
    starts.set(this.#starts);
    counts.set(this.#counts);
    [this.#starts, this.#counts] = [starts, counts];
  }
}
