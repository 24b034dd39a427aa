import { Bitset } from "./bitset.ts";
import type { Marked } from "./packed-lists.ts";

/**
 * The lists only grow: a document that has changed is put at their end under a new place, and its old one is empty. At
 * first the place of a document is its own number, so that most are found without a look at where they stand.
 */
export class Places {
  /** Above all first places. */
  size = 0;
  empty = 0;
  /** Documents that left their first place. */
  #moved = new Bitset();
  #firstPlaces = 0;
  /** The documents of the further places; negative: empty. */
  #docs = new Int32Array(0);
  #placeOf = new Int32Array(1024).fill(-1);

  /** The first place of a document; each is above the one before. */
  takeFirst(doc: number): number {
    this.#put(doc, doc);
    this.size = doc + 1;
    this.#firstPlaces = this.size;
    return doc;
  }

  /** A new place for a document. */
  take(doc: number): number {
    this.leave(doc);
    const place = this.size;
    const at = place - this.#firstPlaces;
    if (at >= this.#docs.length) this.#docs = longer(this.#docs, at + 256);
    this.#docs[at] = doc;
    this.#put(doc, place);
    this.size += 1;
    return place;
  }

  leave(doc: number): void {
    const place = this.placeOf(doc);
    if (place < 0) return;
    if (place < this.#firstPlaces) this.#moved.add(place);
    else this.#docs[place - this.#firstPlaces] = -1;
    this.#placeOf[doc] = -1;
    this.empty += 1;
  }

  placeOf(doc: number): number {
    return this.#placeOf[doc] ?? -1;
  }

  placesOf(docs: Uint32Array): Int32Array {
    const places = new Int32Array(docs.length);
    for (let at = 0; at < docs.length; at += 1) places[at] = this.placeOf(docs[at] ?? 0);
    return places;
  }

  /** Marks the documents at places in a set. */
  mark(found: Bitset, marking: (marked: Marked) => void): void {
    const size = this.#firstPlaces;
    const further: number[] = [];
    marking({ words: found.room(size), left: this.#moved.room(size), size, further });
    for (const place of further) {
      const doc = this.#docs[place - size] ?? -1;
      if (doc >= 0) found.add(doc);
    }
  }

  #put(doc: number, place: number): void {
    if (doc >= this.#placeOf.length) this.#placeOf = longer(this.#placeOf, doc + 1);
    this.#placeOf[doc] = place;
  }
}

function longer(from: Int32Array, size: number): Int32Array<ArrayBuffer> {
  const to = new Int32Array(Math.ceil(size * 1.5)).fill(-1);
  to.set(from);
  return to;
}
