/**
 * Writing calls for one draft or one request, one after the other. Two at the same moment end oddly there: with an error of
 * the server, a refusal of right values, or two drafts (upstreams F24).
 */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Begins once the earlier work on the same object has ended, however it ended. */
  async after<T>(id: string, work: () => Promise<T>): Promise<T> {
    const earlier = this.#last.get(id) ?? Promise.resolve();
    const mine = earlier.catch(() => undefined).then(work);
    this.#last.set(id, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(id) === mine) this.#last.delete(id);
    }
  }
}
