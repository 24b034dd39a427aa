import { cursorHeader, type FeedPage, feedPage } from "../../../shared/sync-protocol/feed.schema.ts";
import {
  AnswerTooLarge,
  bodyOf,
  type ServerAnswer,
  ServerError,
  type Transport,
  Unreachable,
} from "../../sync/transport.ts";
import { validateAnswer } from "../../sync/validate-answer.ts";
import type { PageSize } from "./page-size.ts";

function pathOf(cursor: string | undefined, waitSeconds: number, limit: number, known?: string): string {
  const query = {
    ...(cursor === undefined ? {} : { cursor: encodeURIComponent(cursor) }),
    ...(known === undefined ? {} : { known: encodeURIComponent(known) }),
    ...(waitSeconds > 0 ? { wait: waitSeconds } : { limit }),
  };
  return `/api/sync/changes?${Object.entries(query)
    .map(([name, value]) => `${name}=${value}`)
    .join("&")}`;
}

/** Fetches a single change when several together exceed the size limit. */
const singleChangePath = (cursor: string | undefined): string =>
  `/api/sync/changes?${cursor === undefined ? "" : `cursor=${encodeURIComponent(cursor)}&`}limit=1`;

/** The answer, or a smaller one if it exceeds the size limit. */
async function orSmaller(answer: Promise<ServerAnswer>, less: () => Promise<ServerAnswer>): Promise<ServerAnswer> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof AnswerTooLarge) return less();
    throw error;
  }
}

interface Prefetch {
  cursor: string;
  answer: Promise<ServerAnswer>;
  /** Cursor of the page after this one, once known. */
  next?: string;
}

/** Fetches pages of the feed. While a page is stored the next one is already requested. */
export class PageFetcher {
  readonly #transport: Transport;
  readonly #size: PageSize;
  #prefetch: Prefetch | undefined;

  constructor(transport: Transport, size: PageSize) {
    this.#transport = transport;
    this.#size = size;
  }

  /**
   * Fetches the page after a cursor.
   * @param known a later position that the server has told
   * @returns `isPrefetched`: requested before this call, so it may be older.
   */
  async fetch(cursor: string | undefined, waitSeconds: number, known: string | undefined) {
    const earlier = this.#prefetch;
    if (earlier && earlier.cursor === cursor) {
      this.#prefetch = undefined;
      if (earlier.next !== undefined) this.#request(earlier.next);
      return { isPrefetched: true, answer: await this.#sized(cursor, earlier.answer) };
    }
    const timeoutMs = waitSeconds > 0 ? waitSeconds * 1000 + 6000 : 15_000;
    const answer = orSmaller(
      this.#transport.call("GET", this.#pathOf(cursor, waitSeconds, known), undefined, { timeoutMs }),
      () => this.#transport.call("GET", singleChangePath(cursor)),
    );
    return { isPrefetched: false, answer: await this.#sized(cursor, answer) };
  }

  #pathOf(cursor: string | undefined, waitSeconds = 0, known?: string): string {
    return pathOf(cursor, waitSeconds, this.#size.limit(cursor === undefined), known);
  }

  /** The answer. The next page is smaller if this one did not arrive. */
  async #sized<T>(cursor: string | undefined, answer: Promise<T>): Promise<T> {
    try {
      const arrived = await answer;
      this.#size.succeeded();
      return arrived;
    } catch (error) {
      if (error instanceof Unreachable && !(error instanceof ServerError)) this.#size.failed(cursor === undefined);
      throw error;
    }
  }

  /** Fetches the page without deltas, because a delta's base is not here. */
  async fetchWhole(cursor: string | undefined): Promise<FeedPage> {
    const answer = orSmaller(this.#transport.call("GET", `${this.#pathOf(cursor)}&whole=1`), () =>
      this.#transport.call("GET", `${singleChangePath(cursor)}&whole=1`),
    );
    return validateAnswer(feedPage, bodyOf(await this.#sized(cursor, answer)));
  }

  /** Requests the page after this cursor, unless it is under way. */
  prefetch(cursor: string): void {
    if (this.#prefetch?.cursor !== cursor) this.#request(cursor);
  }

  #request(cursor: string): void {
    const onHead = (headers: Record<string, unknown>) => this.#onHead(prefetch, headers[cursorHeader]);
    const answer = this.#transport.call("GET", this.#pathOf(cursor), undefined, { isBulk: true, onHead });
    answer.catch(() => {});
    const prefetch: Prefetch = { cursor, answer };
    this.#prefetch = prefetch;
  }

  /** The header names the next cursor, so the next page is requested before this body arrives. */
  #onHead(prefetch: Prefetch, next: unknown): void {
    if (typeof next !== "string" || next === prefetch.cursor) return;
    prefetch.next = next;
    if (this.#prefetch === undefined) this.#request(next);
  }
}
