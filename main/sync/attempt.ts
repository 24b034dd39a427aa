import { bodyOf, type Transport, Unreachable } from "./transport.ts";

/** How long a user's call waits for a server that did not answer last time. */
const attemptMs = 2000;

export interface AttemptOptions {
  isOnline(): boolean;
  /** Undefined while no call may be made: paused, or signed out. */
  transport(): Transport | undefined;
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
    const transport = this.#options.transport();
    if (isOnline() || !transport) return isOnline();
    this.#running ??= this.#try(transport).finally(() => {
      this.#running = undefined;
    });
    await this.#running;
    return isOnline();
  }

  async #try(transport: Transport): Promise<void> {
    const { onAnswered, onRefused } = this.#options;
    try {
      bodyOf(await transport.call("GET", "/api/sync/settings", undefined, { timeoutMs: attemptMs }));
    } catch (error) {
      if (!(error instanceof Unreachable) && this.#options.transport() === transport) onRefused(error);
      return;
    }
    if (this.#options.transport() === transport) await onAnswered();
  }
}
