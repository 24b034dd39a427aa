import type { IncomingMessage } from "node:http";
import type { Request } from "express";
import { assertNotEncoded, streamBody } from "../../../shared/kernel/body.ts";
import { Failure } from "../../../shared/kernel/failure.ts";
import type { ShownDraft } from "../../sync/upstream.ts";
import { acceptOf } from "./accept.policy.ts";
import { shownDraft } from "./handed-on.ts";
import { type Change, changeOf } from "./passed-changes.ts";
import { LostAnswer } from "./rest-line.ts";
import type { Site } from "./site.ts";

/** What the app may read there through this replica. */
const readable =
  /^\/api\/(records|user\/records|communities|user\/communities|vocabularies|users|affiliations|funders|awards|subjects|names|languages)(\/|$)/;
/** Largest body of a change. */
const maxBytes = 1024 * 1024;

async function bodyOf(req: Request): Promise<Buffer> {
  assertNotEncoded(req);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of streamBody(req)) {
    size += chunk.length;
    if (size > maxBytes) throw new Failure("too_large", "The request body is larger than 1 MiB.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Makes a change at once and once. Its effect is stored before the answer is passed on.
 * @throws Failure 409 if the user saw another state; 503 if no answer came, which says what to do.
 */
async function passChange(
  site: Site,
  req: Request,
  change: Change,
  shown: ShownDraft | undefined,
): Promise<IncomingMessage> {
  const { name } = site.options;
  const sent = await bodyOf(req);
  await change.before?.(site, shown);
  const body = (await change.bodyFor?.(site, sent)) ?? sent;
  let answer: IncomingMessage | undefined;
  try {
    answer = await site.line.open(change.path, { accept: acceptOf(change.path) }, { method: change.method, body });
  } catch (error) {
    if (!(error instanceof LostAnswer)) throw error;
  }
  if (answer?.statusCode === 401 || answer?.statusCode === 403) await site.line.assertToken();
  await change.refresh(site, shown);
  if (answer && (answer.statusCode ?? 0) < 500) return answer;
  answer?.destroy();
  throw new Failure(
    "unavailable",
    `${name} did not say whether it did this. Carrel has looked: what you see is what is there now.`,
  );
}

const addressOf = (req: Request): URL => new URL(req.originalUrl, "http://replica");

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
  const { pathname, searchParams } = addressOf(req);
  const change = changeOf(method, pathname);
  if (change) return passChange(site, req, change, shown);
  const isRead = method === "GET" || method === "HEAD";
  if (!(isRead && readable.test(pathname)))
    throw new Failure("unavailable", `This cannot be done on ${name} from here. Use its web site.`);
  searchParams.delete("scope");
  // Their server refuses raw brackets and quotes in a query.
  const query = searchParams.size === 0 ? "" : `?${searchParams}`;
  const { range } = req.headers;
  const headers = { accept: acceptOf(pathname), ...(range === undefined ? {} : { range }) };
  return site.line.open(`${pathname}${query}`, headers, { method });
}
