import type { Bitset } from "./bitset.ts";

/** A row has room for `profile`, `files`, how many subjects there are, and so many of them. */
const rowBits = 3;
const inRow = (1 << rowBits) - 3;
const blockDocs = 256;
/** Rows lie far apart where more than so many are passed over. */
const farApart = 12;

/** What a document is counted and filtered by, as numbers. */
export interface FacetRow {
  profile: number;
  files: number;
  subjects: readonly number[];
}

/** Documents by number. */
export interface FacetCounts {
  profiles: Int32Array;
  files: Int32Array;
  subjects: Int32Array;
}

interface How {
  readable: Bitset | undefined;
  by: 1 | -1;
  hasProfiles: boolean;
}

/** A row for each document, side by side in memory: to count one of many costs a single look at it. */
export class FacetRows {
  #rows = new Uint32Array(0);
  /** The subjects of documents that have more than a row has room for; it says where they begin. */
  #pool = new Uint32Array(1024);
  #used = 0;
  #live = 0;

  /** Replaces the row of a document. */
  set(doc: number, { profile, files, subjects }: FacetRow): void {
    this.#makeRoom(doc + 1);
    const at = doc << rowBits;
    this.#live -= this.#pooledAt(at);
    this.#rows.set([profile, files, 0], at);
    if (subjects.length <= inRow) this.#rows.set(subjects, at + 3);
    else this.#rows[at + 3] = this.#toPool(subjects);
    this.#rows[at + 2] = subjects.length;
  }

  /** Adds the rows of documents to the counts, or takes them off; files only of those that are readable. */
  count(docs: Uint32Array, counts: FacetCounts, readable: Bitset | undefined, by: 1 | -1 = 1): void {
    const [first, last] = [docs[0] ?? 0, docs.at(-1) ?? 0];
    const areFarApart = last - first > docs.length * farApart;
    for (let from = 0; from < docs.length; from += blockDocs) {
      const block = docs.subarray(from, from + blockDocs);
      // A look that waits for nothing: where rows lie far apart, they are at hand for the next one.
      if (areFarApart) this.#countProfiles(block, counts.profiles, by);
      this.#countAll(block, counts, { readable, by, hasProfiles: areFarApart });
    }
  }

  /** As `count`, of the files alone, all of them. */
  countFiles(docs: readonly number[], counts: Int32Array, by: 1 | -1): void {
    for (const doc of docs) increase(counts, this.#rows[(doc << rowBits) + 1], by);
  }

  #countProfiles(docs: Uint32Array, counts: Int32Array, by: number): void {
    const rows = this.#rows;
    for (let index = 0; index < docs.length; index += 1) increase(counts, rows[(docs[index] ?? 0) << rowBits], by);
  }

  #countAll(docs: Uint32Array, { profiles, files, subjects }: FacetCounts, { readable, by, hasProfiles }: How): void {
    const [rows, pool] = [this.#rows, this.#pool];
    for (let index = 0; index < docs.length; index += 1) {
      const doc = docs[index] ?? 0;
      const at = doc << rowBits;
      if (!hasProfiles) increase(profiles, rows[at], by);
      if (readable === undefined || readable.has(doc)) increase(files, rows[at + 1], by);
      const size = rows[at + 2] ?? 0;
      const from = size > inRow ? pool : rows;
      const start = size > inRow ? (rows[at + 3] ?? 0) : at + 3;
      for (let place = start; place < start + size; place += 1) increase(subjects, from[place], by);
    }
  }

  /** The documents whose number in a column is marked. */
  marked(docs: Uint32Array, column: "profile" | "files", isMarked: readonly boolean[]): Uint32Array {
    const marks = Uint8Array.from(isMarked, Number);
    const offset = column === "profile" ? 0 : 1;
    const kept = new Uint32Array(docs.length);
    let size = 0;
    for (let at = 0; at < docs.length; at += 1) {
      const doc = docs[at] ?? 0;
      kept[size] = doc;
      size += marks[this.#rows[(doc << rowBits) + offset] ?? 0] ?? 0;
    }
    return kept.slice(0, size);
  }

  /** Whether a document has one of the subjects. */
  hasSubject(doc: number, numbers: ReadonlySet<number>): boolean {
    const at = doc << rowBits;
    const size = this.#rows[at + 2] ?? 0;
    const from = size > inRow ? this.#pool : this.#rows;
    const start = size > inRow ? (this.#rows[at + 3] ?? 0) : at + 3;
    for (let place = start; place < start + size; place += 1) if (numbers.has(from[place] ?? 0)) return true;
    return false;
  }

  /** How many subjects of a row stand in the pool. */
  #pooledAt(at: number): number {
    const size = this.#rows[at + 2] ?? 0;
    return size > inRow ? size : 0;
  }

  #toPool(numbers: readonly number[]): number {
    if (this.#used + numbers.length > this.#pool.length) this.#compact(numbers.length);
    const start = this.#used;
    this.#pool.set(numbers, start);
    this.#used += numbers.length;
    this.#live += numbers.length;
    return start;
  }

  /** Leaves out what was replaced. */
  #compact(more: number): void {
    const pool = new Uint32Array(Math.ceil((this.#live + more) * 1.5) + 1024);
    let used = 0;
    for (let at = 0; at < this.#rows.length; at += 1 << rowBits) {
      const size = this.#pooledAt(at);
      if (size === 0) continue;
      const start = this.#rows[at + 3] ?? 0;
      pool.set(this.#pool.subarray(start, start + size), used);
      this.#rows[at + 3] = used;
      used += size;
    }
    this.#pool = pool;
    this.#used = used;
  }

  #makeRoom(size: number): void {
    if (size << rowBits <= this.#rows.length) return;
    const rows = new Uint32Array(Math.max(128, Math.ceil(size * 1.5)) << rowBits);
    rows.set(this.#rows);
    this.#rows = rows;
  }
}

function increase(counts: Int32Array, number: number | undefined, by: number): void {
  counts[number ?? 0] = (counts[number ?? 0] ?? 0) + by;
}
