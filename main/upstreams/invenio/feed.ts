import { Failure } from "../../../shared/kernel/failure.ts";
import type { FeedPage } from "../../../shared/sync-protocol/feed.schema.ts";
import { ServerError, Unreachable } from "../../sync/transport.ts";
import type { Fetched } from "../../sync/upstream.ts";
import type { Notifier } from "./notifier.ts";
import { pageAfter, seqOf } from "./pages.ts";
import type { Poller } from "./poller.ts";
import { SlowedDown } from "./rest-line.ts";
import type { Site } from "./site.ts";
import { firstUnsettled } from "./write/journal.repository.ts";

/** How long a page waits while the limits leave no call for the first copy. */
const limitedMs = 2000;
/** How often a page checks whether the outbox has the outcome of an effect, and how long it waits for that. */
const [settlingMs, maxSettlingMs] = [20, 3000];

export interface FeedParts {
  site: Site;
  poller: Poller;
  notifier: Notifier;
  signal: AbortSignal;
  nowMs(): number;
  /** Whether a window of the app is open. */
  hasWindow(): boolean;
}

const found = (page: FeedPage): Fetched => ({ state: "page", page, isPrefetched: false });

/** Serves pages of the shadow. Starts a poll when one is due. */
export class Feed {
  readonly #parts: FeedParts;
  #looking: Promise<void> | undefined;
  /** Why nothing new is seen, although the server answers other calls: the last look failed. */
  failure: string | undefined;
  /** When a look last succeeded, in milliseconds UTC. */
  lookedMs: number | undefined;

  constructor(parts: FeedParts) {
    this.#parts = parts;
  }

  /** @throws Unreachable if the server cannot be reached, or the connection was closed. */
  async page(cursor: string | undefined, waitSeconds: number): Promise<Fetched> {
    const { site, poller, notifier, signal, nowMs } = this.#parts;
    const from = seqOf(cursor);
    const endMs = nowMs() + waitSeconds * 1000;
    const isLooking = this.#looking !== undefined && !(await poller.isCopying());
    if (isLooking || (await this.#dueInMs()) === 0) await this.#look();
    for (let wasUp = true; ; ) {
      if (signal.aborted) throw new Unreachable("The connection was closed.");
      const isCopying = await poller.isCopying();
      const page = await pageAfter(site.db, from);
      const isNew = page.changes.length > 0 || (cursor === undefined && !isCopying);
      if (isNew) return found({ ...page, more: page.more || isCopying });
      if (isCopying && !site.line.mayCall("poll")) {
        await notifier.wait(limitedMs, signal);
        return found({ ...page, more: true });
      }
      // Only a look would show whether the server answers again, and the limits leave none.
      if (!site.line.isUp) site.line.assertMayCall("poll");
      // The server answers again: an empty page lets the engine continue at once.
      if (!wasUp && site.line.isUp) return { state: "unchanged", isPrefetched: false };
      const leftMs = endMs - nowMs();
      wasUp = site.line.isUp;
      const isSettling = (await firstUnsettled(site.db)) !== undefined;
      // A user who asks again and again must not keep a page that waits for nothing.
      if (isCopying || (leftMs > 0 && (await this.#dueInMs()) === 0)) await this.#look();
      // The outbox hears of an effect within moments.
      else if (isSettling && leftMs > -maxSettlingMs) await notifier.wait(settlingMs, signal);
      else if (leftMs > 0) await notifier.wait(Math.min(leftMs, await this.#dueInMs()), signal);
      else return { state: "unchanged", isPrefetched: false };
    }
  }

  /**
   * Without an answer to the last call, a look is due: it shows whether the server can be reached. None is due before the
   * limits allow one.
   */
  async #dueInMs(): Promise<number> {
    const { site, poller, hasWindow } = this.#parts;
    const isDue = !site.line.isUp || (await poller.isCopying());
    return Math.max(site.line.waitMs("poll"), isDue ? 0 : (await poller.dueIn(hasWindow())) / 1000);
  }

  /** Looks around once. A server that asks for fewer calls is left alone. */
  #look(): Promise<void> {
    this.#looking ??= this.#lookOnce().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #lookOnce(): Promise<void> {
    const { poller } = this.#parts;
    try {
      await ((await poller.isCopying()) ? poller.copyStep() : poller.poll());
      this.failure = undefined;
      this.lookedMs = this.#parts.nowMs();
    } catch (error) {
      if (error instanceof SlowedDown) return;
      if (error instanceof ServerError || error instanceof Failure) this.failure = error.message;
      throw error;
    }
  }
}
