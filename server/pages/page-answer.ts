import { createHash } from "node:crypto";
import type { Request, RequestHandler, Response } from "express";
import { answerIfKnown, answerText } from "../../shared/kernel/answer.ts";
import type { AnswerErrorPage } from "../../shared/kernel/error-handler.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { isFromOwnPage } from "../../shared/kernel/own-page.ts";
import { callerOf } from "../../shared/kernel/resource.ts";
import { routeOf } from "../../shared/kernel/route-facts.ts";
import { siteLanguages } from "../../shared/settings/settings.schema.ts";
import { cachePage } from "./page-cache.ts";
import { type Page, type Site, type Viewer, writePage } from "./page-frame.ts";
import { languageCookie } from "./page-language.ts";
import { pageLook, pagePolicy } from "./page-style.ts";
import { failedPage, otherPagePage, refusedPage, unknownPage } from "./plain-pages.ts";

/** Paths of the build's files that pages load. */
interface PageAssets {
  script: string | undefined;
  font: string | undefined;
}

const noAssets: PageAssets = { script: undefined, font: undefined };
const assetsOfPages = new WeakMap<Response, PageAssets>();

/** Makes all pages of this app load the script and the font of the build. */
export const withPageAssets =
  (assets: PageAssets): RequestHandler =>
  (_req, res, next) => {
    assetsOfPages.set(res, assets);
    next();
  };

/** Path and query of the call, with exactly one slash at the start. */
const addressOf = (req: Request): string => req.originalUrl.replace(/^(https?:\/\/[^/?#]*)?[/\\]*/i, "/");

const siteOf = (
  { baseUrl, settings, settings: { site } }: Host,
  req: Request,
  res: Response,
  { isShownAgain = false }: Page,
): Site => ({
  name: site.name,
  home: `${baseUrl}/`,
  path: routeOf(req)?.facts.isForm && !isShownAgain ? "/" : addressOf(req),
  styleOf: pageLook(site).styleOf,
  ...(assetsOfPages.get(res) ?? noAssets),
  languages: siteLanguages(settings),
});

/** Whether the caller sees what everybody sees: not signed in, and without access link. */
const isUnknownCaller = (req: Request): boolean => {
  const { via, linkTokens } = callerOf(req);
  return via === "anonymous" && linkTokens.length === 0;
};

const isSignedIn = (req: Request): boolean => callerOf(req).via === "session";

/** Who sees the page, and where signing in leads back to: `next` of a page with a form, else this page. */
function viewerOf(req: Request, { next = "/" }: Page): Viewer {
  if (isSignedIn(req)) return "signed-in";
  return { path: routeOf(req)?.facts.isForm ? next : addressOf(req) };
}

/** The host that the browser asked, if the server is called by another name than that of its address. */
function otherHostOf({ headers: { host = "" } }: Request, home: string): string | undefined {
  const isName = /^[a-z0-9.-]+(:\d+)?$/i.test(host);
  return isName && host !== new URL(home).host ? host : undefined;
}

/** Sends a page with its content security policy. A page for everybody gets a strong ETag and 304. */
export async function answerPage(host: Host, req: Request, res: Response, status: number, page: Page): Promise<void> {
  const isRead = req.method === "GET" || req.method === "HEAD";
  const choice = languageCookie(host, req);
  if (choice !== undefined) res.append("Set-Cookie", choice);
  const isForAll = isUnknownCaller(req) && !routeOf(req)?.facts.isForm && choice === undefined;
  const isShared = status === 200 && isRead && isForAll;
  const site = siteOf(host, req, res, page);
  const otherHost = otherHostOf(req, site.home);
  const homes = [site.home, ...(otherHost === undefined ? [] : [`${otherHost}/`])];
  const { text, style } = writePage(page, site, viewerOf(req, page));
  // With "no-referrer", browsers send "Origin: null" with a form. Over http, `assertOwnPage` has nothing else to go by.
  res.setHeader("Referrer-Policy", "same-origin");
  res.setHeader("Cross-Origin-Opener-Policy", "same-origin");
  res.setHeader("Content-Security-Policy", pagePolicy(style, homes, page));
  res.setHeader("Cache-Control", isShared ? "public, no-cache" : "private, no-store");
  if (!page.isIndexed || !isUnknownCaller(req)) res.setHeader("X-Robots-Tag", "noindex");
  res.vary("Accept");
  res.vary("Cookie");
  res.vary("Accept-Language");
  res.vary("Accept-Encoding");
  if (isShared) {
    const etag = `"${createHash("sha256").update(text).digest("base64url")}"`;
    cachePage(res, { text, etag });
    if (answerIfKnown(req, res, status, etag)) return;
  }
  await answerText(req, res, status, "text/html; charset=utf-8", text);
}

/** Whether the caller is a browser at an address outside the API. Programs without an `Accept` header get JSON. */
const prefersPage = (req: Request): boolean =>
  !/^\/api(\/|$)/.test(req.path) && req.accepts(["json", "html"]) === "html";

/** Whether a form is refused because no page of this site sent it. */
const isFromOtherPage = (req: Request): boolean =>
  routeOf(req)?.facts.isForm === true && req.method === "POST" && !isFromOwnPage(req);

/** Answers errors outside the API with a page for browsers. Everybody else gets JSON. */
export function failurePages(host: Host): AnswerErrorPage {
  return (req, res, failure) => {
    if (!prefersPage(req)) return undefined;
    const { status = 500, headers = {} } = failure ?? {};
    for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
    const requestId = String(res.getHeader("X-Request-ID") ?? "");
    const pages: Partial<Record<number, Page>> = {
      403: isFromOtherPage(req) ? otherPagePage(requestId) : refusedPage(requestId, { isSignedIn: isSignedIn(req) }),
      404: unknownPage(requestId),
    };
    const page = pages[status] ?? failedPage(status, requestId, Number(headers["Retry-After"] ?? 0));
    return answerPage(host, req, res, status, page);
  };
}
