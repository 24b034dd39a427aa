import { validateAnswer } from "../../sync/validate-answer.ts";
import type { Urgency } from "./budget.policy.ts";
import { type TheirRecord, theirList } from "./read/their-record.ts";
import { refusedRead } from "./rest-line.ts";
import type { Site } from "./site.ts";

export const usualSize = 25;

/** The user's own and shared drafts and records, latest change first. */
export async function listOwn(
  site: Site,
  { page = 1, size = usualSize, urgency = "send" }: { page?: number; size?: number; urgency?: Urgency } = {},
): Promise<TheirRecord[]> {
  const answer = await site.line.read(`/api/user/records?sort=updated-desc&page=${page}&size=${size}`, { urgency });
  if (answer.status !== 200) throw refusedRead(answer);
  return validateAnswer(theirList, answer.body).hits.hits;
}
