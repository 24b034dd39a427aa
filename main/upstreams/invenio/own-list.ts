import { parseTime } from "../../../shared/kernel/timestamps.ts";
import { validateAnswer } from "../../sync/validate-answer.ts";
import type { Urgency } from "./budget.policy.ts";
import { type Page, pageOf, type TheirRecord, theirList, theirRecord } from "./read/their-record.ts";
import { refusedRead } from "./rest-line.ts";
import type { Site } from "./site.ts";

const defaultSize = 25;

/** Sites that do not know this order. */
const withoutLatestFirst = new WeakSet<Site>();

/** Whether a list begins with what was changed last. */
export const isLatestFirst = (site: Site): boolean => !withoutLatestFirst.has(site);

interface Listing {
  page?: number;
  size?: number;
  urgency?: Urgency;
  /** Also the versions that a later one, or its draft, hides. */
  isWhole?: boolean;
  /** Wanted is what was changed since then, in microseconds UTC. */
  since?: number;
}

/**
 * The user's own and shared drafts and records, latest change first. A site that does not know this order gives what was
 * changed since, or everything, in another one.
 */
export async function listOwn(
  site: Site,
  { page = 1, size = defaultSize, urgency = "send", isWhole = false, since }: Listing = {},
): Promise<Page<TheirRecord>> {
  const order = isLatestFirst(site) ? "sort=updated-desc" : changedSince(since);
  const path = `/api/user/records?${order}&page=${page}&size=${size}${isWhole ? "&allversions=true" : ""}`;
  const answer = await site.line.read(path, { urgency });
  // Without it, former versions are looked at by their ids.
  if (answer.status === 400 && isWhole) return listOwn(site, { page, size, urgency });
  if (answer.status === 400 && isLatestFirst(site)) {
    withoutLatestFirst.add(site);
    return listOwn(site, { page, size, urgency, ...(since === undefined ? {} : { since }) });
  }
  if (answer.status !== 200) throw refusedRead(answer);
  return pageOf(theirRecord, validateAnswer(theirList, answer.body).hits.hits, size);
}

// Their server refuses raw brackets.
const changedSince = (since: number | undefined): string =>
  since === undefined
    ? "sort=newest"
    : `sort=newest&q=${encodeURIComponent(`updated:[${new Date(since / 1000).toISOString()} TO *]`)}`;

/** Pages are as large as every site allows, and as many as its limits leave in a minute beside other calls. */
const [largeSize, maxPages] = [100, 10];

/**
 * What was changed since a time, and a few more: 1,000 at most. Usually one small page has it.
 * @param since in microseconds UTC
 */
export async function listChangedSince(site: Site, since: number): Promise<TheirRecord[]> {
  const isEnd = ({ hits, isLast }: Page<TheirRecord>): boolean =>
    isLast || (isLatestFirst(site) && (parseTime(hits.at(-1)?.updated ?? "") ?? 0) < since);
  const newest = await listOwn(site, { since });
  if (isEnd(newest)) return newest.hits;
  const all: TheirRecord[] = [];
  for (let page = 1; page <= maxPages; page++) {
    const found = await listOwn(site, { page, size: largeSize, since });
    all.push(...found.hits);
    if (isEnd(found)) break;
  }
  return all;
}
