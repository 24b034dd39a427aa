import { listOwn, orderTimeOf } from "./own-list.ts";
import type { Looks } from "./poll.policy.ts";
import type { TheirRecord } from "./read/their-record.ts";
import type { Site } from "./site.ts";

const size = 100;

/** What a walk over everything still has to do. */
export interface Walk {
  /** With all versions. The first copy is small: the user waits for it. */
  isWhole: boolean;
  page: number;
  /** Only what the list has after this time; undefined from its beginning. In microseconds UTC. */
  until: number | undefined;
  /** The oldest time that the list has shown since. */
  edge: number | undefined;
  hits: TheirRecord[];
  isLast: boolean;
  /** What the lists have shown, as `draft:<id>` and `record:<id>`. */
  seen: Set<string>;
}

/** A walk from the beginning, or one that goes on where the first copy was. */
export const newWalk = (
  isWhole: boolean,
  { copyPage: page = 1, copySlice: { until, edge } = {} }: Looks = {},
): Walk => ({ ...{ isWhole, page, until, edge }, ...{ hits: [], isLast: false, seen: new Set() } });

/** Lists the next page of a walk. Beyond the site's search window, the list goes on from the oldest time it has shown. */
export async function listNext(site: Site, walk: Walk): Promise<void> {
  const { page, isWhole, until, edge } = walk;
  const { hits, isLast, isBeyondWindow } = await listOwn(site, { page, size, urgency: "poll", isWhole, until });
  if (isBeyondWindow && (edge === undefined || edge !== until)) {
    Object.assign(walk, { until: edge, page: 1 });
    return;
  }
  const [oldest] = hits.slice(-1);
  if (oldest) walk.edge = orderTimeOf(site, oldest);
  for (const { id, is_draft, is_published } of hits) {
    if (is_draft) walk.seen.add(`draft:${id}`);
    if (is_published) walk.seen.add(`record:${id}`);
  }
  // What is published is read from the list. Drafts need calls of their own.
  walk.hits = hits.toSorted((a, b) => Number(a.is_draft) - Number(b.is_draft));
  walk.page++;
  walk.isLast = isLast;
}
