const second = 1_000_000;
/** The waits after each failed try, in microseconds: seven tries within a quarter of an hour. */
const waits = [5, 10, 30, 75, 180, 600].map((seconds) => seconds * second);
const longestWait = 600 * second;

/** Why work ends in the tray that was tried in vain. */
export const triedInVain = (why: string): string =>
  `This was tried several times without success: ${why} Try again later, or use the web site.`;

/**
 * Counts tries of which nobody knows what they did, such as calls that a proxy answers. They come to an end: the user is
 * told, and other work is never held up.
 */
export class Tries {
  readonly #failed = new Map<string, { times: number; until: number }>();

  /** Notes a failed try. @returns when to try again, in microseconds; undefined after the last try. */
  failed(id: string, now: number): number | undefined {
    const times = this.#failed.get(id)?.times ?? 0;
    const wait = waits[times];
    this.ended(id);
    if (wait === undefined) return undefined;
    this.#failed.set(id, { times: times + 1, until: now + wait });
    return now + wait;
  }

  ended(id: string): void {
    this.#failed.delete(id);
  }

  /** Microseconds until the next try. A clock that was set back ends the wait. */
  waitOf(id: string, now: number): number {
    const left = (this.#failed.get(id)?.until ?? now) - now;
    return left > longestWait ? 0 : Math.max(0, left);
  }
}
