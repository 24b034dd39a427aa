import type { Host } from "../../shared/kernel/host.ts";
import type { FeedPage } from "../../shared/sync-protocol/feed.schema.ts";

/** One moment by the server's clock and by this computer's clock, in microseconds. Either may be wrong or jump. */
export interface Clocks {
  server: number;
  here: number;
}

/** When a page of the feed arrived. */
export function clocksOf(host: Pick<Host, "now">, page: Pick<FeedPage, "now">): Clocks {
  const here = host.now();
  return { server: page.now ?? here, here };
}
