import type { Db, Tx } from "../../shared/database/open.ts";
import type { Host } from "../../shared/kernel/host.ts";
import type { FeedPage } from "../../shared/sync-protocol/feed.schema.ts";
import { recall, remember } from "./person.repository.ts";

/** One moment by the server's clock and by this computer's clock, in microseconds. Either may be wrong or jump. */
export interface Clocks {
  server: number;
  here: number;
}

/** A host that learns the server's time. */
export interface HostWithClocks extends Host {
  noteClocks(clocks: Clocks): void;
}

/** When a page of the feed arrived, which the host notes and stores too. */
export async function compareClocks(tx: Tx, host: HostWithClocks, page: Pick<FeedPage, "now">): Promise<Clocks> {
  const here = host.now();
  const clocks = { server: page.now ?? here, here };
  host.noteClocks(clocks);
  await remember(tx, "clocks", clocks);
  return clocks;
}

/** By how much the server's clock is ahead, as a clock that was compared with it says, unless that was set since. */
function aheadSince({ server, here }: Clocks, now: number): number {
  const isSet = now < here || (here < server && server <= now);
  return isSet ? Math.max(0, server - now) : server - here;
}

/** Tells a host that starts about the server's clock: it may stay offline for long. */
export async function recallClocks(db: Db, host: HostWithClocks): Promise<void> {
  const last = await recall(db, "clocks");
  const here = host.now();
  if (last) host.noteClocks({ server: here + aheadSince(last, here), here });
}
