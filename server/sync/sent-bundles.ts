import type { Bundle } from "../../shared/bundles/bundle.schema.ts";
import { deltaOf, deltaWindow, textOf } from "../../shared/sync-protocol/bundle-delta.ts";
import type { Change, FeedPage } from "../../shared/sync-protocol/feed.schema.ts";

/** A sent bundle as text, with its feed position. */
interface Sent {
  seq: number;
  text: string;
}

/** Larger pages are rare and compress well without deltas. */
const maxDeltaChanges = 20;
const versionsKept = 3;
const maxCharacters = 4_000_000;

/**
 * Remembers the bundles last sent, so that the next change of an object travels as a delta. Only a cache in memory: a
 * replica that has another base requests the whole page.
 */
export class SentBundles {
  readonly #sent = new Map<string, Sent[]>();
  #characters = 0;

  /** @param after feed position that the page follows; undefined if unknown. */
  withDeltas(userId: string, after: number | undefined, page: FeedPage): FeedPage {
    if (page.more || page.changes.length > maxDeltaChanges) return page;
    const changes = page.changes.map((change) =>
      change.bundle === undefined ? change : this.#withDelta(userId, after ?? -1, change, change.bundle),
    );
    return { ...page, changes };
  }

  #withDelta(userId: string, after: number, change: Change, bundle: Bundle): Change {
    const text = textOf(bundle);
    const key = `${userId} ${change.kind}:${change.id}`;
    const known = this.#sent.get(key) ?? [];
    this.#keep(key, known, { seq: change.seq, text });
    // After the first page a replica stores only rows, from which the text cannot be restored.
    const before = known
      .filter(({ seq }) => seq <= after)
      .slice(1)
      .at(-1);
    if (!before || before.text.length > deltaWindow) return change;
    const { bundle: _whole, ...rest } = change;
    return { ...rest, delta: deltaOf(before.text, text) };
  }

  #keep(key: string, known: readonly Sent[], sent: Sent): void {
    const all = [...known.filter(({ seq }) => seq !== sent.seq), sent].slice(-versionsKept);
    this.#sent.delete(key);
    this.#sent.set(key, all);
    this.#characters += lengthOf(all) - lengthOf(known);
    for (const [oldest, texts] of this.#sent) {
      if (this.#characters <= maxCharacters) break;
      this.#sent.delete(oldest);
      this.#characters -= lengthOf(texts);
    }
  }
}

const lengthOf = (sent: readonly Sent[]): number => sent.reduce((sum, { text }) => sum + text.length, 0);
