import type { Request, RequestHandler, Response } from "express";
import { answerIfKnown } from "../../shared/kernel/answer.ts";
import { acceptedCoding, type Coding, compressed } from "../../shared/kernel/content-coding.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { countView } from "../../shared/usage/count-visit.ts";
import type { UsageService } from "../../shared/usage/usage.service.ts";
import { languageCookie, pageLanguage, sendsLanguageAlone } from "./page-language.ts";

interface CachedPage {
  headers: Record<string, number | string | string[]>;
  etag: string;
  bytes: Buffer;
  /** Compressed when first requested. */
  packed: Partial<Record<Coding, Buffer>>;
  /** The record whose page it is. */
  viewed: string | undefined;
  commits: number;
  /** The last change in the library before the page was made, if other processes commit too. */
  change: number | undefined;
  /** Instant in microseconds UTC. */
  made: number;
}

interface MadePage {
  text: string;
  etag: string;
}

/** Caches the page that is being sent, if everybody who is not signed in gets the same. */
export function cachePage(res: Response, page: MadePage): void {
  (res.locals.cachePage as ((page: MadePage) => void) | undefined)?.(page);
}

/** Cache of the pages for people who are not signed in: a page that many read is rendered once. */
export interface PageCache {
  /** Answers with a cached page, if there is one. Otherwise `cachePage` caches the page that is rendered. */
  readonly answer: RequestHandler;
}

const maxPages = 2000;
/** The largest page that is cached, and the limit of all pages together, in bytes before compression. */
const [maxPageBytes, maxBytes] = [256 * 1024, 64 * 1024 * 1024];
/** Changes by time, such as the end of an embargo, and new counts show within this time. */
const longestMicros = 1_000_000;
/** While the server is overloaded, the first page may be older. */
const longestUnderLoadMicros = 60_000_000;

/** Headers that belong to one call. */
const ownHeaders = new Set([
  ...["x-request-id", "date", "content-length", "content-encoding", "set-cookie"],
  ...["access-control-allow-origin", "strict-transport-security"],
]);

/** What browsers send. Any other `Accept` may prefer another type of the same address. */
const prefersPages = /^text\/html *(,|$)/;

/** The key of a call that every stranger gets the same answer to. */
function keyOf(host: Host, req: Request): string | undefined {
  const { authorization, cookie, accept = "" } = req.headers;
  const isRead = req.method === "GET" || req.method === "HEAD";
  if (!isRead || authorization !== undefined || !prefersPages.test(accept)) return undefined;
  if (cookie !== undefined && !sendsLanguageAlone(host, req)) return undefined;
  if (req.path.startsWith("/api") || Object.keys(req.query).some((name) => name !== "lang")) return undefined;
  // Any other value would be one more copy of the page.
  if ("lang" in req.query && req.query.lang !== pageLanguage(host, req)) return undefined;
  if (languageCookie(host, req) !== undefined) return undefined;
  // The policy of a page names the host that the browser asked.
  return `${pageLanguage(host, req)} ${req.headers.host ?? ""} ${req.originalUrl}`;
}

interface PageCacheParts {
  usage: UsageService;
  isOverloaded(): boolean;
  /** The last change in the library, if other processes commit too. */
  lastChange(): Promise<number | undefined>;
}

/**
 * Keeps pages until anything is committed, also by another process, so that no dependency between objects can be
 * forgotten: a record made restricted vanishes at once.
 */
export function pageCache(host: Host, { usage, isOverloaded, lastChange }: PageCacheParts): PageCache {
  const pages = new Map<string, CachedPage>();
  let keptBytes = 0;
  let commits = 0;
  host.onCommitted(() => {
    commits++;
  });

  function find(req: Request, key: string, change: number | undefined): CachedPage | undefined {
    const page = pages.get(key);
    if (!page) return undefined;
    const age = Math.abs(host.now() - page.made);
    if (page.commits === commits && page.change === change && age < longestMicros) return page;
    return req.path === "/" && isOverloaded() && age < longestUnderLoadMicros ? page : undefined;
  }

  async function send(req: Request, res: Response, page: CachedPage): Promise<void> {
    for (const [name, value] of Object.entries(page.headers)) res.setHeader(name, value);
    const isKnown = answerIfKnown(req, res, 200, page.etag);
    if (page.viewed !== undefined) countView(usage, req, res, page.viewed);
    if (isKnown) return;
    const coding = acceptedCoding(String(req.headers["accept-encoding"] ?? ""));
    if (coding) {
      page.packed[coding] ??= await compressed(page.bytes, coding);
      res.setHeader("Content-Encoding", coding);
    }
    const bytes = (coding && page.packed[coding]) ?? page.bytes;
    res.setHeader("Content-Length", bytes.length);
    res.status(200).end(bytes);
  }

  function keep(key: string, res: Response, { text, etag }: MadePage, change: number | undefined): void {
    const bytes = Buffer.from(text);
    if (bytes.length > maxPageBytes) return;
    if (pages.size >= maxPages || keptBytes + bytes.length > maxBytes) {
      pages.clear();
      keptBytes = 0;
    }
    keptBytes += bytes.length - (pages.get(key)?.bytes.length ?? 0);
    const headers: CachedPage["headers"] = {};
    for (const [name, value] of Object.entries(res.getHeaders()))
      if (value !== undefined && !ownHeaders.has(name)) headers[name] = value;
    headers["content-type"] = "text/html; charset=utf-8";
    const viewed = typeof res.locals.viewed === "string" ? res.locals.viewed : undefined;
    pages.set(key, { headers, etag, bytes, packed: {}, viewed, commits, change, made: host.now() });
  }

  return {
    async answer(req, res, next) {
      const key = keyOf(host, req);
      if (key === undefined) return next();
      const change = await lastChange();
      const page = find(req, key, change);
      if (page) return send(req, res, page);
      const before = commits;
      // A page made during a commit may lack its change.
      res.locals.cachePage = (made: MadePage) => {
        if (commits === before) keep(key, res, made, change);
      };
      next();
    },
  };
}
