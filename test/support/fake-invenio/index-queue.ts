import type { Content } from "./state.ts";

/** What lists show of one draft or record: a snapshot, as it was when the index was told. */
export interface Indexed {
  content: Content;
  isDraft: boolean;
  isPublished: boolean;
}

interface Entry {
  key: string;
  at: number;
  document: Indexed | undefined;
}

/** The search index, which hears of each change late, or never (F7, F17). */
export class IndexQueue {
  readonly #documents = new Map<string, Indexed>();
  #waiting: Entry[] = [];
  /** Search cannot be reached: lists never show the changes of this time (F7). */
  isDeaf = false;
  /** Documents that no list shows while the index is built anew. */
  #unbuilt: { keys: Set<string>; until: number } = { keys: new Set(), until: 0 };

  /** @param at when lists show it. */
  put(key: string, at: number, document: Indexed | undefined): void {
    if (this.isDeaf) return;
    const copy = document && {
      ...document,
      content: { ...document.content, metadata: structuredClone(document.content.metadata) },
    };
    this.#waiting.push({ key, at, document: copy });
  }

  /** All documents that lists know at this time. */
  list(now: number): Indexed[] {
    const due = this.#waiting.filter(({ at }) => at <= now).sort((a, b) => a.at - b.at);
    this.#waiting = this.#waiting.filter(({ at }) => at > now);
    for (const { key, document } of due) {
      this.#unbuilt.keys.delete(key);
      if (document) this.#documents.set(key, document);
      else this.#documents.delete(key);
    }
    const isBuilding = this.isBuilding(now);
    const listed = [...this.#documents].filter(([key]) => !isBuilding || !this.#unbuilt.keys.has(key));
    return listed.map(([, document]) => document);
  }

  /** The operator builds the index anew: no list shows these documents until then, unless they are changed. */
  build(until: number, keys: Iterable<string>): void {
    this.#unbuilt = { keys: new Set(keys), until };
  }

  isBuilding(now: number): boolean {
    return now < this.#unbuilt.until;
  }
}
