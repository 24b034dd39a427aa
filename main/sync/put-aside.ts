interface Entry {
  failures: number;
  /** Microseconds UTC. */
  due: number;
  reason: string;
}

const [firstMicros, longestMicros] = [1_000_000, 30_000_000];

/**
 * Work that failed by itself although the server answers. It waits, so that other work continues. After the second
 * failure in a row it waits a second, after each later one twice as long, up to 30 seconds. One entry is tried each
 * second, until one succeeds.
 */
export class PutAside {
  readonly #entries = new Map<string, Entry>();
  readonly #now: () => number;
  /** No entry is tried before this time, in microseconds UTC. */
  #paced = 0;

  /** @param now microseconds UTC */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** @param reason for the user */
  add(id: string, reason: string): void {
    const failures = (this.#entries.get(id)?.failures ?? 0) + 1;
    const micros = failures === 1 ? 0 : Math.min(firstMicros * 2 ** (failures - 2), longestMicros);
    this.#entries.set(id, { failures, due: this.#now() + micros, reason });
    if (micros > 0) this.#paced = this.#now() + firstMicros;
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  isWaiting(id: string): boolean {
    const entry = this.#entries.get(id);
    return entry !== undefined && this.#waitMicros(entry) > 0;
  }

  /** Removes work that succeeded. */
  delete(id: string): void {
    if (this.#entries.delete(id)) this.#paced = 0;
  }

  /** Removes all entries but these. */
  keepOnly(ids: ReadonlySet<string>): void {
    for (const id of this.#entries.keys()) if (!ids.has(id)) this.#entries.delete(id);
  }

  /** Lets all entries be tried now. */
  retryNow(): void {
    for (const entry of this.#entries.values()) entry.due = 0;
    this.#paced = 0;
  }

  /** How long until the next one may be tried, in milliseconds; undefined if none waits. */
  waitMs(): number | undefined {
    const waits = [...this.#entries.values()].map((entry) => this.#waitMicros(entry)).filter((micros) => micros > 0);
    return waits.length === 0 ? undefined : Math.ceil(Math.min(...waits) / 1000);
  }

  /** Why an entry waits, and when it is tried again, in microseconds UTC. */
  find(id: string): Readonly<Pick<Entry, "reason" | "due">> | undefined {
    return this.#entries.get(id);
  }

  /** The reason of the oldest entry. */
  get reason(): string | undefined {
    return this.#entries.values().next().value?.reason;
  }

  /** A clock that was set back does not make an entry wait longer. */
  #waitMicros({ due }: Entry): number {
    const micros = Math.max(due, this.#paced) - this.#now();
    return micros > longestMicros ? 0 : micros;
  }
}
