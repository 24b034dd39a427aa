import type { Bundle } from "../../shared/bundles/bundle.schema.ts";
import { deltaOf, deltaWindow, textOf } from "../../shared/sync-protocol/bundle-delta.ts";
import type { Change, FeedPage } from "../../shared/sync-protocol/feed.schema.ts";

/** An object as it was sent, and the position of the feed at which it came. */
interface Sent {
  seq: number;
  text: string;
}

/** Larger pages are compressed well without, and are seldom. */
const mostChanges = 20;
const keptOfEach = 3;
const keptCharacters = 4_000_000;

/**
 * What replicas were last sent: when an object changes again, only the difference travels. A hint, held in memory: a
 * replica that has something else notices, and asks for the whole.
 */
export class LastSent {
  readonly #sent = new Map<string, Sent[]>();
  #characters = 0;

  /** @param after feed position that the page follows; undefined: of this reader nothing is known. */
  shorten(userId: string, after: number | undefined, page: FeedPage): FeedPage {
    if (page.more || page.changes.length > mostChanges) return page;
    const changes = page.changes.map((change) =>
      change.bundle === undefined ? change : this.#shortened(userId, after ?? -1, change, change.bundle),
    );
    return { ...page, changes };
  }

  #shortened(userId: string, after: number, change: Change, bundle: Bundle): Change {
    const text = textOf(bundle);
    const key = `${userId} ${change.kind}:${change.id}`;
    const known = this.#sent.get(key) ?? [];
    this.#keep(key, known, { seq: change.seq, text });
    // The first time a replica keeps the rows alone, of which no text can be made again.
    const before = known
      .filter(({ seq }) => seq <= after)
      .slice(1)
      .at(-1);
    if (!before || before.text.length > deltaWindow) return change;
    const { bundle: _whole, ...gone } = change;
    return { ...gone, delta: deltaOf(before.text, text) };
  }

  #keep(key: string, known: readonly Sent[], sent: Sent): void {
    const all = [...known.filter(({ seq }) => seq !== sent.seq), sent].slice(-keptOfEach);
    this.#sent.delete(key);
    this.#sent.set(key, all);
    this.#characters += lengthOf(all) - lengthOf(known);
    for (const [oldest, texts] of this.#sent) {
      if (this.#characters <= keptCharacters) break;
      this.#sent.delete(oldest);
      this.#characters -= lengthOf(texts);
    }
  }
}

const lengthOf = (sent: readonly Sent[]): number => sent.reduce((sum, { text }) => sum + text.length, 0);
