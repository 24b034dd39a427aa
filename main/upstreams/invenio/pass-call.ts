import type { IncomingMessage } from "node:http";
import type { Request } from "express";
import { Failure } from "../../../shared/kernel/failure.ts";
import type { ShownDraft } from "../../sync/upstream.ts";
import { acceptOf } from "./accept.policy.ts";
import { shownDraft } from "./handed-on.ts";
import { passChange } from "./pass-change.ts";
import { changeOf } from "./passed-changes.ts";
import type { Site } from "./site.ts";
import { findTheirId, isCreationOpen } from "./write/journal.repository.ts";

/** What the app may read there through this replica. */
const readable =
  /^\/api\/(records|user\/records|communities|user\/communities|vocabularies|users|affiliations|funders|awards|subjects|names|languages)(\/|$)/;
const addressOf = (req: Request): URL => new URL(req.originalUrl, "http://replica");

/**
 * The path with the server's id in place of the one that a draft had here: the page may not know it yet.
 * @throws Failure 409 if the draft is not there yet
 */
async function theirPath({ db, options }: Site, path: string): Promise<string> {
  const [, id = "", rest = ""] = /^\/api\/records\/([\w-]+)(.*)$/.exec(path) ?? [];
  if (id === "") return path;
  const theirs = await findTheirId(db, id);
  if (theirs === undefined && (await isCreationOpen(db, id)))
    throw new Failure("conflict", `This draft is not on ${options.name} yet. Try again when it was sent.`);
  return `/api/records/${theirs ?? id}${rest}`;
}

/** The draft that a change publishes or submits, as the user sees it. */
export async function shownFor(site: Site, req: Request, method: string): Promise<ShownDraft | undefined> {
  const draft = await changeOf(method, addressOf(req).pathname)?.draft?.(site);
  return draft === undefined ? undefined : shownDraft(site, draft);
}

/**
 * Passes a call of a page on.
 * @param shown the draft that it publishes or submits, as the user saw it when they made the call
 * @throws Failure for what the site does not offer.
 */
export async function passCall(
  site: Site,
  req: Request,
  method: string,
  shown: ShownDraft | undefined,
): Promise<IncomingMessage> {
  const { name } = site.options;
  const { pathname: asked, searchParams } = addressOf(req);
  const pathname = await theirPath(site, asked);
  const change = changeOf(method, pathname);
  if (change) return passChange(site, req, change, shown);
  const isRead = method === "GET" || method === "HEAD";
  if (!(isRead && readable.test(pathname)))
    throw new Failure("unavailable", `This cannot be done on ${name} from here. Use its web site.`);
  searchParams.delete("scope");
  // InvenioRDM refuses raw brackets and quotes in a query.
  const query = searchParams.size === 0 ? "" : `?${searchParams}`;
  const { range } = req.headers;
  const headers = { accept: acceptOf(pathname), ...(range === undefined ? {} : { range }) };
  const answer = await site.line.open(`${pathname}${query}`, headers, { method });
  if (answer.statusCode !== 401 && answer.statusCode !== 403) return answer;
  // With a dead token each call is a guest's.
  await site.line.assertToken().catch((error: unknown) => {
    answer.destroy();
    throw error;
  });
  return answer;
}
