import type { IncomingMessage } from "node:http";
import type { Request } from "express";
import { Failure } from "../../../shared/kernel/failure.ts";
import { acceptOf } from "./accept.policy.ts";
import type { Site } from "./site.ts";

/** What the app may read there through this replica. Nothing is changed on this way. */
const readable =
  /^\/api\/(records|user\/records|vocabularies|users|affiliations|funders|awards|subjects|names|languages)(\/|$)/;

/** Passes a read of a page on. @throws Failure for what the site does not offer. */
export function passRead(site: Site, req: Request, method: string): Promise<IncomingMessage> {
  const { name } = site.options;
  const { pathname, searchParams } = new URL(req.originalUrl, "http://replica");
  const isRead = method === "GET" || method === "HEAD";
  if (!isRead || !readable.test(pathname))
    throw new Failure("unavailable", `This cannot be done on ${name} from here. Use its web site.`);
  searchParams.delete("scope");
  // Their server refuses raw brackets and quotes in a query.
  const query = searchParams.size === 0 ? "" : `?${searchParams}`;
  const { range } = req.headers;
  return site.line.open(
    `${pathname}${query}`,
    { accept: acceptOf(pathname), ...(range === undefined ? {} : { range }) },
    method,
  );
}
