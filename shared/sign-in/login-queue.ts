import { Failure } from "../kernel/failure.ts";

/** Attempts of one network that may be under way at once: about four seconds of hashing. */
const mostOfNetwork = 32;
/** Attempts of all networks: what their bodies and answers may hold in memory. */
const mostOfAll = 1000;

const busy = (): Failure =>
  new Failure("too_many", "Too many attempts to sign in at once. Try again in a few seconds.", {
    headers: { "Retry-After": "5" },
  });

/** Work of one key waits for earlier work of that key, and for nothing else. */
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
 * Lets one attempt of a network, and one attempt on an account, run at a time. Each network then waits for at most one
 * attempt of every other network, however many attempts those have queued.
 */
export class LoginQueue {
  readonly #underWay = new Map<string, number>();
  #total = 0;
  readonly #networks = new Lanes();
  readonly #subjects = new Lanes();

  /** @throws Failure 429 with `Retry-After` when the network, or the server, has too many attempts under way. */
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
