import { validateAnswer } from "../../sync/validate-answer.ts";
import type { Urgency } from "./budget.policy.ts";
import { type TheirRecord, theirList } from "./read/their-record.ts";
import { refusedRead } from "./rest-line.ts";
import type { Site } from "./site.ts";

export const usualSize = 25;

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
  { page = 1, size = usualSize, urgency = "send", isWhole = false }: Listing = {},
): Promise<TheirRecord[]> {
  const path = `/api/user/records?sort=updated-desc&page=${page}&size=${size}${isWhole ? "&allversions=true" : ""}`;
  const answer = await site.line.read(path, { urgency });
  if (answer.status !== 200) throw refusedRead(answer);
  return validateAnswer(theirList, answer.body).hits.hits;
}
