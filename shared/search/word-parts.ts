import { Bitset } from "./bitset.ts";

/** The title, and by turns so many words of the rest at once: what is near each other is in one part. */
const [partCount, blockBits] = [8, 4];
/** A word is also in the part of what comes so far behind it. */
const reach = 5;

/** The documents of each of some words, by the part of the text that has it: a byte a document and word, quick to join. */
export class WordParts {
  readonly #parts: readonly (readonly Bitset[])[];
  #position = 0;

  constructor(words: number, size: number) {
    const sets = (): Bitset[] => Array.from({ length: words }, () => new Bitset(size));
    this.#parts = Array.from({ length: partCount }, sets);
  }

  begin(): void {
    this.#position = 0;
  }

  /** Begins the next value of a text: no words of two are near. */
  beginValue(): void {
    this.#position = ((this.#position >> blockBits) + 1) << blockBits;
  }

  /** Puts the next word of the text of a document; negative: one of no matter. */
  put(word: number, doc: number, isInTitle: boolean): void {
    const at = this.#position;
    this.#position += 1;
    if (word < 0) return;
    for (const part of isInTitle ? [0] : [partAt(at), partAt(at + reach)]) this.#parts[part]?.[word]?.add(doc);
  }

  delete(doc: number): void {
    for (const sets of this.#parts) for (const set of sets) set.delete(doc);
  }

  /** Adds the documents of a word. */
  addDocs(word: number, found: Bitset, isInTitle: boolean): void {
    for (const sets of isInTitle ? this.#parts.slice(0, 1) : this.#parts) found.or(sets[word] ?? new Bitset());
  }

  /** Adds all documents that have words within `span` of each other in one value, and some more. */
  addTogether(words: readonly number[], span: number, found: Bitset): void {
    const joined = (word: number): Bitset => {
      const docs = new Bitset();
      this.addDocs(word, docs, false);
      return docs;
    };
    const all = span > reach ? [words.map(joined)] : this.#parts.map((sets) => words.map((word) => sets[word]));
    for (const [first, ...others] of all) {
      const both = first?.copy();
      for (const other of others) both?.and(other ?? new Bitset());
      if (both) found.or(both);
    }
  }
}

const partAt = (position: number): number => 1 + ((position >> blockBits) % (partCount - 1));
