import { cursorHeader, type FeedPage, feedPage } from "../../shared/sync-protocol/feed.schema.ts";
import { bodyOf, type ServerAnswer, type Transport } from "./transport.ts";

/** A small page first: there is something to see soon. */
const [firstPage, laterPage] = [50, 500];

function pathOf(cursor: string | undefined, waitSeconds: number): string {
  const limit = cursor === undefined ? firstPage : laterPage;
  const query = {
    ...(cursor === undefined ? {} : { cursor }),
    ...(waitSeconds > 0 ? { wait: waitSeconds } : { limit }),
  };
  return `/api/sync/changes?${Object.entries(query)
    .map(([name, value]) => `${name}=${value}`)
    .join("&")}`;
}

interface Ahead {
  cursor: string;
  transport: Transport;
  answer: Promise<ServerAnswer>;
  /** Where the page after it begins, once that is known. */
  next?: string;
}

/** Asks for pages of the feed; of a long way to go the next one is made and travels while one is read and stored. */
export class PageFetcher {
  #ahead: Ahead | undefined;

  /** The page after a cursor. @returns `isAhead`: asked for earlier, it may be of before this call. */
  async fetch(transport: Transport, cursor: string | undefined, waitSeconds: number) {
    const known = this.#ahead;
    if (known && known.cursor === cursor && known.transport === transport) {
      this.#ahead = undefined;
      if (known.next !== undefined) this.#ask(transport, known.next);
      return { isAhead: true, answer: await known.answer };
    }
    const timeoutMs = waitSeconds > 0 ? waitSeconds * 1000 + 6000 : 15_000;
    const answer = await transport.call("GET", pathOf(cursor, waitSeconds), undefined, { timeoutMs });
    return { isAhead: false, answer };
  }

  /** The page after a cursor without any difference: what they were made from is not here. */
  async fetchWhole(transport: Transport, cursor: string | undefined): Promise<FeedPage> {
    return feedPage.parse(bodyOf(await transport.call("GET", `${pathOf(cursor, 0)}&whole=1`)));
  }

  /** There is more after this cursor: it is asked for, if it is not already. */
  goOn(transport: Transport, cursor: string): void {
    if (this.#ahead?.cursor !== cursor || this.#ahead.transport !== transport) this.#ask(transport, cursor);
  }

  #ask(transport: Transport, cursor: string): void {
    const onHead = (headers: Record<string, unknown>) => this.#headOf(asked, headers[cursorHeader]);
    const answer = transport.call("GET", pathOf(cursor, 0), undefined, { isBulk: true, onHead });
    answer.catch(() => {});
    const asked: Ahead = { cursor, transport, answer };
    this.#ahead = asked;
  }

  /** Where the next page begins is known before the page has arrived. */
  #headOf(asked: Ahead, next: unknown): void {
    if (typeof next !== "string") return;
    asked.next = next;
    if (this.#ahead === undefined) this.#ask(asked.transport, next);
  }
}
