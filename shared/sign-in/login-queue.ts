import { Failure } from "../kernel/failure.ts";

/** Maximum concurrent attempts from one network: about four seconds of hashing. */
const mostOfNetwork = 32;
/** Maximum concurrent attempts from all networks: limits the memory for their bodies and answers. */
const mostOfAll = 1000;

const busy = (): Failure =>
  new Failure("too_many", "Too many attempts to sign in at once. Try again in a few seconds.", {
    headers: { "Retry-After": "5" },
  });

/** Serialises work by key. */
class Lanes {
  readonly #tails = new Map<string, Promise<unknown>>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#tails.get(key) ?? Promise.resolve()).then(work);
    const finished = turn.catch(() => undefined);
    this.#tails.set(key, finished);
    try {
      return await turn;
    } finally {
      if (this.#tails.get(key) === finished) this.#tails.delete(key);
    }
  }
}

/**
 * Runs one attempt per network and one per account at a time. A network waits for at most one attempt of every other
 * network, however many those have queued.
 */
export class LoginQueue {
  readonly #underWay = new Map<string, number>();
  #total = 0;
  readonly #networks = new Lanes();
  readonly #subjects = new Lanes();

  /** @throws Failure 429 with `Retry-After` when the network, or the server, has too many concurrent attempts. */
  async run<T>(network: string, subject: string, work: () => Promise<T>): Promise<T> {
    const before = this.#underWay.get(network) ?? 0;
    if (before >= mostOfNetwork || this.#total >= mostOfAll) throw busy();
    this.#underWay.set(network, before + 1);
    this.#total++;
    try {
      return await this.#networks.run(network, () => this.#subjects.run(subject, work));
    } finally {
      this.#total--;
      const after = (this.#underWay.get(network) ?? 1) - 1;
      if (after > 0) this.#underWay.set(network, after);
      else this.#underWay.delete(network);
    }
  }
}
