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
  /** Search is out of reach: what changes now is never listed (F7). */
  isDeaf = false;

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
      if (document) this.#documents.set(key, document);
      else this.#documents.delete(key);
    }
    return [...this.#documents.values()];
  }
}
