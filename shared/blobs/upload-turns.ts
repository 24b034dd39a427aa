/** A call that has the right to write. */
export interface Turn {
  isSuperseded: boolean;
  /** Ends the writing of this turn, once it has begun. */
  stop: () => Promise<unknown>;
  done: Promise<void>;
}

/** One call at a time on each key: a newer one ends the older one and waits until that has tidied up. */
export class Turns {
  #last = new Map<string, Turn>();

  async take<R>(key: string, work: (turn: Turn) => Promise<R>): Promise<R> {
    const older = this.#last.get(key);
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const turn: Turn = { isSuperseded: false, stop: async () => undefined, done };
    this.#last.set(key, turn);
    try {
      if (older) {
        older.isSuperseded = true;
        await older.stop();
        await older.done;
      }
      return await work(turn);
    } finally {
      if (this.#last.get(key) === turn) this.#last.delete(key);
      resolve();
    }
  }
}
