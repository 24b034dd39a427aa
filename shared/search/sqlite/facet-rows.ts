import type { Bitset } from "./bitset.ts";

/**
 * So many subjects of each document stand side by side. An empty slot holds its own number, because increasing the same
 * count again and again takes longer.
 */
export const slots = 4;

/** The values that a document is counted and filtered by, as numbers. */
export interface FacetRow {
  profile: number;
  files: number;
  subjects: readonly number[];
}

/** Documents by number. The numbers of subjects come after those of the slots, because empty slots are counted too. */
export interface FacetCounts {
  profiles: Int32Array;
  files: Int32Array;
  subjects: Int32Array;
}

/** Whole numbers in two bytes each; in four once a number needs them. */
class Column {
  values: Uint16Array | Uint32Array = new Uint16Array(0);

  set(at: number, value: number): void {
    if (at >= this.values.length) this.values = longer(this.values, Math.max(1024, Math.ceil(at * 1.5)));
    if (value > 0xffff && this.values instanceof Uint16Array) this.values = Uint32Array.from(this.values);
    this.values[at] = value;
  }
}

function longer<T extends Uint16Array | Uint32Array>(from: T, size: number): T {
  const to = from instanceof Uint16Array ? new Uint16Array(size) : new Uint32Array(size);
  to.set(from);
  return to as T;
}

/** Columns of small numbers, so that the rows of a million documents fit the cache of the processor. */
export class FacetRows {
  readonly #profiles = new Column();
  readonly #files = new Column();
  readonly #slots = new Column();
  /** Where the further subjects of a document begin in the pool, which holds their count first; 0: none. */
  readonly #further = new Column();
  #pool = new Uint32Array(1024);
  #used = 1;

  /** Replaces the row of a document. */
  set(doc: number, { profile, files, subjects }: FacetRow): void {
    this.#profiles.set(doc, profile);
    this.#files.set(doc, files);
    for (let slot = slots - 1; slot >= 0; slot -= 1)
      this.#slots.set(doc * slots + slot, slot < subjects.length ? (subjects[slot] ?? 0) + slots : slot);
    if (subjects.length > slots) this.#further.set(doc, this.#toPool(subjects.slice(slots)));
    else if (this.#furtherOf(doc).length > 0) this.#further.set(doc, 0);
  }

  /** Adds the rows of documents to the counts; file types only where the files are readable. */
  count(docs: Uint32Array, counts: FacetCounts, readable: Bitset): void {
    countColumn(docs, this.#profiles.values, counts.profiles);
    countReadable(docs, this.#files.values, counts.files, readable);
    countSlots(docs, this.#slots.values, counts.subjects);
    if (this.#further.values.length === 0) return;
    for (let at = 0; at < docs.length; at += 1) {
      if (!this.#further.values[docs[at] ?? 0]) continue;
      for (const number of this.#furtherOf(docs[at] ?? 0)) increase(counts.subjects, number + slots);
    }
  }

  /** The documents whose number in a column is marked. */
  marked(docs: Uint32Array, column: "profile" | "files", isMarked: readonly boolean[]): Uint32Array {
    const marks = Uint8Array.from(isMarked, Number);
    const { values } = column === "profile" ? this.#profiles : this.#files;
    const kept = new Uint32Array(docs.length);
    let size = 0;
    for (let at = 0; at < docs.length; at += 1) {
      const doc = docs[at] ?? 0;
      kept[size] = doc;
      size += marks[values[doc] ?? 0] ?? 0;
    }
    return kept.slice(0, size);
  }

  /** Whether a document has one of the subjects. */
  hasSubject(doc: number, numbers: ReadonlySet<number>): boolean {
    const { values } = this.#slots;
    for (let at = doc * slots; at < (doc + 1) * slots; at += 1) if (numbers.has((values[at] ?? 0) - slots)) return true;
    return this.#furtherOf(doc).some((number) => numbers.has(number));
  }

  #furtherOf(doc: number): Uint32Array {
    const start = this.#further.values[doc] ?? 0;
    return this.#pool.subarray(start + 1, start === 0 ? 1 : start + 1 + (this.#pool[start] ?? 0));
  }

  #toPool(numbers: readonly number[]): number {
    if (this.#used + numbers.length + 1 > this.#pool.length) this.#compact(numbers.length + 1);
    const start = this.#used;
    this.#pool.set([numbers.length, ...numbers], start);
    this.#used += numbers.length + 1;
    return start;
  }

  /** Drops replaced subjects. */
  #compact(more: number): void {
    const { values } = this.#further;
    let needed = more + 1;
    for (let doc = 0; doc < values.length; doc += 1) if (values[doc]) needed += this.#furtherOf(doc).length + 1;
    const pool = new Uint32Array(Math.ceil(needed * 1.5) + 1024);
    this.#used = 1;
    for (let doc = 0; doc < values.length; doc += 1) {
      if (!values[doc]) continue;
      const numbers = this.#furtherOf(doc);
      pool.set([numbers.length, ...numbers], this.#used);
      this.#further.set(doc, this.#used);
      this.#used += numbers.length + 1;
    }
    this.#pool = pool;
  }
}

function countColumn(docs: Uint32Array, values: Uint16Array | Uint32Array, counts: Int32Array): void {
  for (let at = 0; at < docs.length; at += 1) increase(counts, values[docs[at] ?? 0] ?? 0);
}

function countReadable(
  docs: Uint32Array,
  values: Uint16Array | Uint32Array,
  counts: Int32Array,
  readable: Bitset,
): void {
  for (let at = 0; at < docs.length; at += 1) {
    const doc = docs[at] ?? 0;
    increase(counts, values[doc] ?? 0, readable.has(doc) ? 1 : 0);
  }
}

function countSlots(docs: Uint32Array, values: Uint16Array | Uint32Array, counts: Int32Array): void {
  for (let at = 0; at < docs.length; at += 1) {
    const from = (docs[at] ?? 0) * slots;
    increase(counts, values[from] ?? 0);
    increase(counts, values[from + 1] ?? 0);
    increase(counts, values[from + 2] ?? 0);
    increase(counts, values[from + 3] ?? 0);
  }
}

function increase(counts: Int32Array, number: number, by = 1): void {
  counts[number] = (counts[number] ?? 0) + by;
}
