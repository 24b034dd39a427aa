import type { IncomingMessage } from "node:http";
import type { Request } from "express";
import { Failure } from "../../../shared/kernel/failure.ts";
import { acceptOf } from "./accept.policy.ts";
import type { Site } from "./site.ts";

/** What the app may read there through this replica. */
const readable =
  /^\/api\/(records|user\/records|vocabularies|users|affiliations|funders|awards|subjects|names|languages)(\/|$)/;
/** Reserving and releasing a DOI: the only changes on this way. They take effect at once, or not at all. */
const doiOfDraft = /^\/api\/records\/([\w-]+)\/draft\/pids\/doi$/;

/** Passes a call of a page on. @throws Failure for what the site does not offer. */
export async function passCall(site: Site, req: Request, method: string): Promise<IncomingMessage> {
  const { name } = site.options;
  const { pathname, searchParams } = new URL(req.originalUrl, "http://replica");
  const isRead = method === "GET" || method === "HEAD";
  const draftId = doiOfDraft.exec(pathname)?.[1];
  const isDoi = draftId !== undefined && (method === "POST" || method === "DELETE");
  if (!isDoi && !(isRead && readable.test(pathname)))
    throw new Failure("unavailable", `This cannot be done on ${name} from here. Use its web site.`);
  searchParams.delete("scope");
  // Their server refuses raw brackets and quotes in a query.
  const query = searchParams.size === 0 ? "" : `?${searchParams}`;
  const { range } = req.headers;
  const headers = { accept: acceptOf(pathname), ...(range === undefined ? {} : { range }) };
  const answer = await site.line.open(`${pathname}${query}`, headers, method);
  if (isDoi) await keepPresent(site, draftId);
  return answer;
}

/** Lists are late, so the draft is looked at. */
async function keepPresent(site: Site, draftId: string): Promise<void> {
  const draft = await site.lookAtDraft(draftId);
  if (draft) await site.keepDraft(draft, undefined);
}
