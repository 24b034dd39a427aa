import { parseTime } from "../../../shared/kernel/timestamps.ts";
import { validateAnswer } from "../../sync/validate-answer.ts";
import type { Urgency } from "./budget.policy.ts";
import { type Page, pageOf, type TheirRecord, theirList, theirRecord } from "./read/their-record.ts";
import { refusedRead } from "./rest-line.ts";
import type { Site } from "./site.ts";

const defaultSize = 25;

/** Sites that do not know this order, and those that do not list former versions. */
const withoutLatestFirst = new WeakSet<Site>();
const withoutVersions = new WeakSet<Site>();

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
  /** Wanted is what comes after this time in the list's order, in microseconds UTC. */
  until?: number | undefined;
}

/** A page of the list. Servers give no page beyond their search window, which is 10,000 hits as shipped (upstreams F16). */
interface OwnPage extends Page<TheirRecord> {
  isBeyondWindow?: boolean;
}

/**
 * The user's own and shared drafts and records, latest change first. A site that does not know this order gives what was
 * changed since, or everything, in another one.
 */
export async function listOwn(site: Site, listing: Listing = {}): Promise<OwnPage> {
  const { page = 1, size = defaultSize, urgency = "send", isWhole = false } = listing;
  const versions = isWhole && !withoutVersions.has(site);
  const path = `/api/user/records?${orderOf(site, listing)}&page=${page}&size=${size}${versions ? "&allversions=true" : ""}`;
  const answer = await site.line.read(path, { urgency });
  if (answer.status === 400 && page > 1) return { hits: [], isLast: true, isBeyondWindow: true };
  // Without it, former versions are looked at by their ids.
  if (answer.status === 400 && versions) {
    withoutVersions.add(site);
    return listOwn(site, listing);
  }
  if (answer.status === 400 && isLatestFirst(site)) {
    withoutLatestFirst.add(site);
    return listOwn(site, listing);
  }
  if (answer.status !== 200) throw refusedRead(answer);
  return pageOf(theirRecord, validateAnswer(theirList, answer.body).hits.hits, size);
}

/** The time by which the list is ordered, in microseconds UTC. */
export const orderTimeOf = (site: Site, { updated, created }: TheirRecord): number =>
  parseTime(isLatestFirst(site) ? updated : created) ?? 0;

const isoOf = (micros: number): string => new Date(Math.ceil(micros / 1000)).toISOString();

/** Order and query. InvenioRDM refuses raw brackets. */
function orderOf(site: Site, { since, until }: Listing): string {
  const isLatest = isLatestFirst(site);
  const terms = [
    ...(since === undefined || isLatest ? [] : [`updated:[${new Date(since / 1000).toISOString()} TO *]`]),
    ...(until === undefined ? [] : [`${isLatest ? "updated" : "created"}:[* TO ${isoOf(until)}]`]),
  ];
  const query = terms.length === 0 ? "" : `&q=${encodeURIComponent(terms.join(" AND "))}`;
  return `sort=${isLatest ? "updated-desc" : "newest"}${query}`;
}

/** Pages are as large as every site allows, and as many as its limits leave in a minute beside other calls. */
const [largeSize, maxPages] = [100, 10];

/**
 * Drafts and records changed since a time, and a few others: 1,000 at most. Usually takes one small page.
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
