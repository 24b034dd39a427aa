import { Failure } from "../kernel/failure.ts";
import { KeyedMutex } from "../kernel/keyed-mutex.ts";

/** Concurrent attempts from one network: about four seconds of hashing. */
const maxPerNetwork = 32;
/** Concurrent attempts from all networks: limits the memory for their bodies and answers. */
const maxTotal = 1000;

const busy = (): Failure =>
  new Failure("too_many", "Too many attempts to sign in at once. Try again in a few seconds.", {
    headers: { "Retry-After": "5" },
  });

/**
 * Runs one attempt per network and one per account at a time. A network waits for at most one attempt of every other
 * network, however many those have queued.
 */
export class LoginQueue {
  readonly #running = new Map<string, number>();
  #total = 0;
  readonly #networks = new KeyedMutex();
  readonly #subjects = new KeyedMutex();

  /** @throws Failure 429 with `Retry-After` when the network, or the server, has too many concurrent attempts. */
  async run<T>(network: string, subject: string, work: () => Promise<T>): Promise<T> {
    const before = this.#running.get(network) ?? 0;
    if (before >= maxPerNetwork || this.#total >= maxTotal) throw busy();
    this.#running.set(network, before + 1);
    this.#total++;
    try {
      return await this.#networks.run(network, () => this.#subjects.run(subject, work));
    } finally {
      this.#total--;
      const after = (this.#running.get(network) ?? 1) - 1;
      if (after > 0) this.#running.set(network, after);
      else this.#running.delete(network);
    }
  }
}
