/** Values by path. A value is found by its own path, and by any path around or below it. */
export class PathIndex<T> {
  readonly #at = new Map<string, T>();
  /** The best value at or below each prefix of a path. */
  readonly #within = new Map<string, T>();
  readonly #better: (one: T, other: T) => boolean;

  /** @param better whether to prefer `one` when both match */
  constructor(better: (one: T, other: T) => boolean) {
    this.#better = better;
  }

  add(path: readonly string[], value: T): void {
    this.#keep(this.#at, path, value);
    for (const start of startsOf(path)) this.#keep(this.#within, start, value);
  }

  #keep(values: Map<string, T>, path: readonly string[], value: T): void {
    const id = JSON.stringify(path);
    const known = values.get(id);
    if (known === undefined || this.#better(value, known)) values.set(id, value);
  }

  related(path: readonly string[]): T | undefined {
    const found = [
      this.#within.get(JSON.stringify(path)),
      ...startsOf(path).map((start) => this.#at.get(JSON.stringify(start))),
    ];
    return found
      .filter((value) => value !== undefined)
      .reduce<T | undefined>(
        (best, value) => (best === undefined || this.#better(value, best) ? value : best),
        undefined,
      );
  }
}

const startsOf = (path: readonly string[]): string[][] => [...path, ""].map((_, length) => path.slice(0, length));
