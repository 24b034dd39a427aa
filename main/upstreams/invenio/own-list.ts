import { parseTime } from "../../../shared/kernel/timestamps.ts";
import { validateAnswer } from "../../sync/validate-answer.ts";
import type { Urgency } from "./budget.policy.ts";
import { type TheirRecord, theirList } from "./read/their-record.ts";
import { refusedRead } from "./rest-line.ts";
import type { Site } from "./site.ts";

export const defaultSize = 25;

interface Listing {
  page?: number;
  size?: number;
  urgency?: Urgency;
  /** Also the versions that a later one, or its draft, hides. */
  isWhole?: boolean;
}

/** The user's own and shared drafts and records, latest change first. */
export async function listOwn(
  site: Site,
  { page = 1, size = defaultSize, urgency = "send", isWhole = false }: Listing = {},
): Promise<TheirRecord[]> {
  const path = `/api/user/records?sort=updated-desc&page=${page}&size=${size}${isWhole ? "&allversions=true" : ""}`;
  const answer = await site.line.read(path, { urgency });
  // Without it, former versions are looked at by their ids.
  if (answer.status === 400 && isWhole) return listOwn(site, { page, size, urgency });
  if (answer.status !== 200) throw refusedRead(answer);
  return validateAnswer(theirList, answer.body).hits.hits;
}

/** Pages are as large as every site allows, and as many as its limits leave in a minute beside other calls. */
const [largeSize, maxPages] = [100, 10];

/**
 * What was changed since a time, and a few more, latest change first: 1,000 at most. Usually one small page has it.
 * @param since in microseconds UTC
 */
export async function listChangedSince(site: Site, since: number): Promise<TheirRecord[]> {
  const isEnd = (hits: readonly TheirRecord[], size: number): boolean =>
    hits.length < size || (parseTime(hits.at(-1)?.updated ?? "") ?? 0) < since;
  const newest = await listOwn(site);
  if (isEnd(newest, defaultSize)) return newest;
  const all: TheirRecord[] = [];
  for (let page = 1; page <= maxPages; page++) {
    const hits = await listOwn(site, { page, size: largeSize });
    all.push(...hits);
    if (isEnd(hits, largeSize)) break;
  }
  return all;
}
