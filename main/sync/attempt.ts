import { Unreachable } from "./transport.ts";
import type { Upstream } from "./upstream.ts";

/** How long a user's call waits for a server that did not answer last time. */
const attemptMs = 2000;

export interface AttemptOptions {
  isOnline(): boolean;
  /** Undefined while no call may be made: paused, or signed out. */
  upstream(): Upstream | undefined;
  onAnswered(): Promise<void>;
  /** The server answered with a refusal, for example of the token. */
  onRefused(error: unknown): void;
}

/** Contacts the server at once when a user's call needs it, without waiting for the back-off of the loops. */
export class Attempt {
  readonly #options: AttemptOptions;
  #running: Promise<void> | undefined;

  constructor(options: AttemptOptions) {
    this.#options = options;
  }

  /** Whether the server answers. Simultaneous calls share one attempt. */
  async reach(): Promise<boolean> {
    const { isOnline } = this.#options;
    const upstream = this.#options.upstream();
    if (isOnline() || !upstream) return isOnline();
    this.#running ??= this.#try(upstream).finally(() => {
      this.#running = undefined;
    });
    await this.#running;
    return isOnline();
  }

  async #try(upstream: Upstream): Promise<void> {
    const { onAnswered, onRefused } = this.#options;
    try {
      await upstream.probe(attemptMs);
    } catch (error) {
      if (!(error instanceof Unreachable) && this.#options.upstream() === upstream) onRefused(error);
      return;
    }
    if (this.#options.upstream() === upstream) await onAnswered();
  }
}
