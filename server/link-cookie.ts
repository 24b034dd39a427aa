import type { Request } from "express";
import { isHttps } from "../shared/kernel/client-address.ts";
import type { Host } from "../shared/kernel/host.ts";
import { cookieOf, cookieText, hostCookie, linksCookie } from "../shared/sign-in/cookies.ts";

const maxLinks = 8;
const lifeSeconds = 30 * 86_400;
const between = ".";

type Base = Pick<Host, "baseUrl">;

/** What the links of a browser open: the pages of a record, and its files and pictures through the API. */
const opens = /^\/(?:records|uploads|api\/records|api\/iiif)\/[^/]/;

const stored = (host: Base, req: Request): string[] => {
  const text = cookieOf(req, hostCookie(linksCookie, isHttps(host, req)));
  return (text ?? "")
    .split(between)
    .filter((token) => /^[\w-]+$/.test(token))
    .slice(0, maxLinks);
};

/** Secrets of the access links that this browser has opened (web 9). They let it read, and never write. */
export function linkCookieOf(host: Base, req: Request): string[] {
  const isRead = req.method === "GET" || req.method === "HEAD";
  return isRead && opens.test(`${req.baseUrl}${req.path}`) ? stored(host, req) : [];
}

/** A `Set-Cookie` value that remembers one more link; the oldest of more than eight is forgotten. */
export function linkCookie(host: Base, req: Request, token: string): string {
  const isSecure = isHttps(host, req);
  const tokens = [token, ...stored(host, req).filter((one) => one !== token)].slice(0, maxLinks);
  const options = { isHttpOnly: true, isSecure, maxAgeSeconds: lifeSeconds };
  return cookieText(hostCookie(linksCookie, isSecure), tokens.join(between), options);
}
