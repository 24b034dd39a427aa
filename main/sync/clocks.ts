import type { Host } from "../../shared/kernel/host.ts";
import type { FeedPage } from "../../shared/sync-protocol/feed.schema.ts";

/** One moment by the server's clock and by this computer's clock, in microseconds. Either may be wrong or jump. */
export interface Clocks {
  server: number;
  here: number;
}

/** A host that learns the server's time. */
export interface HostWithClocks extends Host {
  noteClocks(clocks: Clocks): void;
}

/** When a page of the feed arrived, which the host notes too. */
export function compareClocks(host: HostWithClocks, page: Pick<FeedPage, "now">): Clocks {
  const here = host.now();
  const clocks = { server: page.now ?? here, here };
  host.noteClocks(clocks);
  return clocks;
}
