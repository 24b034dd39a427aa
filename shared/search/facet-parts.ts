import { breathe } from "../kernel/time-slice.ts";
import { Bitset } from "./bitset.ts";
import type { FacetCounts, FacetRows } from "./facet-rows.ts";

const mostParts = 64;
const leastDocs = 8192;
/** For the counts of all parts together. */
const mostNumbers = 4_000_000;
const sliceDocs = 20_000;
/** Of so many documents one tells whether a look at the others is worth while. */
const probe = 16;
/** The part of a document that is in none yet, and of one that has changed since the parts were made. */
const [none, changed] = [0, 255];

/** Documents whose counts are kept. */
interface Part {
  /** Those that were in it at first. */
  docs: Uint32Array[];
  /** How many still are. */
  size: number;
  counts: FacetCounts;
}

/** What the parts are made of. */
export interface Dated {
  size: number;
  firstDay: Float64Array;
  lastDay: Float64Array;
  /** Room for every number in the rows. */
  noCounts: () => FacetCounts;
  /** Whether a document is likely to be found by many. */
  isCommon: (doc: number) => boolean;
}

/**
 * Documents in parts, by the date of their publication, each part with its counts: a set that holds most of a part is
 * counted by them, without a look at each document. They are true of any set, because what differs is counted one by
 * one: a document that changes leaves its part first, and is in none until they are made anew.
 */
export class FacetParts {
  readonly #rows: FacetRows;
  #partOf = new Uint8Array(0);
  #parts: Part[] = [];
  /** When they were made there were so many documents; 0: they never were. */
  #madeOf = 0;
  #changed = 0;
  #isMaking = false;
  #least = leastDocs;

  constructor(rows: FacetRows) {
    this.#rows = rows;
  }

  /** Makes the parts; gives way often. `least`: documents of each, also when they are made anew. */
  async make(dated: Dated, least = this.#least): Promise<void> {
    if (this.#isMaking) return;
    this.#isMaking = true;
    this.#least = least;
    this.#partOf = new Uint8Array(dated.size);
    this.#madeOf = dated.size;
    this.#changed = 0;
    this.#parts = [];
    try {
      const partOfDate = await this.#divide(dated);
      for (let from = 0; from < this.#madeOf; from += sliceDocs) {
        this.#join(dated, partOfDate, from, Math.min(from + sliceDocs, this.#madeOf));
        await breathe();
      }
    } finally {
      this.#isMaking = false;
    }
  }

  /** Whether they were made, and so much has changed since that they should be made anew. */
  isWorn(size: number): boolean {
    return this.#madeOf > 0 && !this.#isMaking && size - this.#madeOf + this.#changed > this.#madeOf / 8 + this.#least;
  }

  /** To be told before the row of a document changes. */
  leave(doc: number): void {
    const part = this.#parts[(this.#partOf[doc] ?? none) - 1];
    if (doc < this.#partOf.length && this.#partOf[doc] !== changed) {
      this.#partOf[doc] = changed;
      this.#changed += 1;
    }
    if (!part) return;
    part.size -= 1;
    this.#rows.count(Uint32Array.of(doc), part.counts, undefined, -1);
  }

  /** Adds what it has the counts of; returns the other documents, which are to be counted. */
  count(docs: Uint32Array, counts: FacetCounts, readable: Bitset): Uint32Array {
    const partOf = this.#partOf;
    const probed = this.#inParts(docs, probe);
    if (!this.#parts.some(({ size }, at) => (probed[at + 1] ?? 0) * probe * 2 > size)) return docs;
    const inPart = this.#inParts(docs, 1);
    const isUsed = new Uint8Array(changed + 1);
    const partial: number[] = [];
    for (const [at, part] of this.#parts.entries()) {
      const found = inPart[at + 1] ?? 0;
      if (found === 0 || found * 4 < part.size * 3) continue;
      isUsed[at + 1] = 1;
      if (found < part.size) partial.push(at);
      addUp(counts, part.counts);
    }
    if (!isUsed.includes(1)) return docs;
    const hidden = new Uint32Array(docs.length);
    const others = new Uint32Array(docs.length);
    let [size, unread] = [0, 0];
    for (let at = 0; at < docs.length; at += 1) {
      const doc = docs[at] ?? 0;
      const isCounted = isUsed[partOf[doc] ?? none] === 1;
      others[size] = doc;
      size += isCounted ? 0 : 1;
      hidden[unread] = doc;
      unread += isCounted && !readable.has(doc) ? 1 : 0;
    }
    this.#rows.countFiles(hidden.subarray(0, unread), counts.files, -1);
    if (partial.length > 0) this.#takeOff(partial, Bitset.of(docs), counts);
    return others.subarray(0, size);
  }

  /** How many of the documents are in each part; of each so many documents one is looked at. */
  #inParts(docs: Uint32Array, step: number): Uint32Array {
    const [partOf, inPart] = [this.#partOf, new Uint32Array(changed + 1)];
    for (let at = 0; at < docs.length; at += step) {
      const part = partOf[docs[at] ?? 0] ?? none;
      inPart[part] = (inPart[part] ?? 0) + 1;
    }
    return inPart;
  }

  /** Takes off what the parts hold and the documents do not. */
  #takeOff(parts: readonly number[], docs: Bitset, counts: FacetCounts): void {
    for (const at of parts) {
      for (const list of this.#parts[at]?.docs ?? []) {
        const missing = list.filter((doc) => !docs.has(doc) && this.#partOf[doc] === at + 1);
        this.#rows.count(missing, counts, undefined, -1);
      }
    }
  }

  /** Begins the parts, each of neighbouring dates; returns which one a date belongs to. */
  async #divide(dated: Dated): Promise<Map<number, number>> {
    const ofDate = new Map<number, number>();
    for (let from = 0; from < this.#madeOf; from += sliceDocs) {
      for (let doc = from; doc < Math.min(from + sliceDocs, this.#madeOf); doc += 1) {
        if (!dated.isCommon(doc)) continue;
        const date = dateOf(dated, doc);
        ofDate.set(date, (ofDate.get(date) ?? 0) + 1);
      }
      await breathe();
    }
    const partOfDate = new Map<number, number>();
    const { profiles, files, subjects } = dated.noCounts();
    const most = Math.min(mostParts, Math.floor(mostNumbers / (profiles.length + files.length + subjects.length + 1)));
    const wanted = Math.max(this.#least, this.#madeOf / most);
    let size = wanted;
    for (const date of [...ofDate.keys()].sort((a, b) => a - b)) {
      if (size >= wanted && this.#parts.length < most) {
        this.#parts.push({ docs: [], size: 0, counts: dated.noCounts() });
        size = 0;
      }
      size += ofDate.get(date) ?? 0;
      partOfDate.set(date, this.#parts.length);
    }
    return partOfDate;
  }

  #join(dated: Dated, partOfDate: ReadonlyMap<number, number>, from: number, until: number): void {
    const joining = this.#parts.map((): number[] => []);
    for (let doc = from; doc < until; doc += 1) {
      // One that has changed meanwhile may have numbers that the parts have no room for.
      if (this.#partOf[doc] !== none || !dated.isCommon(doc)) continue;
      const part = partOfDate.get(dateOf(dated, doc)) ?? none;
      this.#partOf[doc] = part;
      joining[part - 1]?.push(doc);
    }
    for (const [at, docs] of joining.entries()) {
      const part = this.#parts[at];
      if (!part || docs.length === 0) continue;
      const list = Uint32Array.from(docs);
      part.docs.push(list);
      part.size += list.length;
      this.#rows.count(list, part.counts, undefined);
    }
  }
}

/** Ascending as dates are written: a year, its first month, the first day of that. */
function dateOf({ firstDay, lastDay }: Dated, doc: number): number {
  const [first = Number.NaN, last = Number.NaN] = [firstDay[doc], lastDay[doc]];
  if (Number.isNaN(first)) return Number.NEGATIVE_INFINITY;
  return first * 1024 - Math.min(last - first, 1000);
}

function addUp(to: FacetCounts, from: FacetCounts): void {
  for (const name of ["profiles", "files", "subjects"] as const) {
    const [sums, more] = [to[name], from[name]];
    for (let at = 0; at < more.length; at += 1) sums[at] = (sums[at] ?? 0) + (more[at] ?? 0);
  }
}
