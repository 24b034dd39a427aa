import type { IncomingHttpHeaders } from "node:http";
import { isServedInline, memberType, safetyHeaders } from "../../shared/files/content-headers.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { jsonTypes } from "../../shared/kernel/negotiation.ts";
import { recordTypes, sentTypes } from "../../shared/representations/representations.ts";

/**
 * Limits what the server's answers may do under the replica's own origin. The replica trusts the server's data, but
 * nothing that the server sends may run as a page (security 4).
 */

/** The server's headers that are copied to the forwarded answer. All others are dropped. */
const copiedHeaders = [
  "accept-encoding",
  "accept-ranges",
  "allow",
  "content-md5",
  "content-range",
  "etag",
  "idempotency-replayed",
  "last-modified",
  "preference-applied",
  "query-problem",
  "repr-digest",
  "retry-after",
  "upload-complete",
  "upload-length",
  "upload-limit",
  "upload-offset",
  "vary",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
] as const;

/** Media type without parameters, in lower case; empty if there is none. */
const essenceOf = (type: string | undefined): string => (type ?? "").split(";")[0]?.trim().toLowerCase() ?? "";

const binary = "application/octet-stream";
const textTypes = new Set([...jsonTypes, ...recordTypes.map(essenceOf), "application/problem+json", "text/plain"]);
const downloadTypes = new Set([binary, "application/zip"]);

/** The type of a file in an archive, by its name, as the server finds it; undefined for any other path. */
function memberTypeOf(path: string): string | undefined {
  if (!path.includes("/container/")) return undefined;
  return memberType(decodeURIComponent(path.slice(path.lastIndexOf("/") + 1)));
}

interface ForwardedCall {
  /** Percent-encoded. */
  path: string;
  isAvatar: boolean;
}

/**
 * The `Content-Type` of a forwarded answer; `application/octet-stream` unless the server's type is safe here.
 * @param type the server's `Content-Type`
 */
function safeType({ path, isAvatar }: ForwardedCall, type: string | undefined): string {
  const essence = essenceOf(type);
  if (type !== undefined && sentTypes.includes(type)) return type;
  if (isAvatar && essence === "image/svg+xml") return "image/svg+xml; charset=utf-8";
  if (textTypes.has(essence)) return /;\s*charset="?utf-8"?/i.test(type ?? "") ? `${essence}; charset=utf-8` : essence;
  if (downloadTypes.has(essence) || isServedInline(essence)) return essence;
  const member = memberTypeOf(path);
  return member !== undefined && essenceOf(member) === essence ? member : binary;
}

function safeDisposition(sent: string | undefined, isDownload: boolean): string | undefined {
  const isValid = sent !== undefined && /^(?:inline|attachment)(?:;|$)/.test(sent);
  if (!isDownload) return isValid ? sent : undefined;
  return isValid ? sent.replace(/^inline/, "attachment") : "attachment";
}

const allowedCaching = new Set(["no-store", "private, no-store", "private, no-cache", "private, max-age=300"]);

/** The only challenge that is copied. With others, a browser would prompt for a password in the name of this replica. */
const bearerChallenge = /^Bearer realm="api"(?:, error(?:_description)?="[\w ]*"|, scope="[\w ]*")*$/;

/** The headers of a forwarded answer, except its length. @param sent the server's headers */
export function forwardedHeaders(call: ForwardedCall, sent: IncomingHttpHeaders): Record<string, string> {
  const { path } = call;
  const headers: Record<string, string> = {};
  for (const name of copiedHeaders) {
    const value = sent[name];
    if (typeof value === "string") headers[name] = value;
  }
  const challenge = sent["www-authenticate"];
  if (challenge !== undefined && bearerChallenge.test(challenge)) headers["www-authenticate"] = challenge;
  const caching = sent["cache-control"];
  if (caching !== undefined) headers["cache-control"] = allowedCaching.has(caching) ? caching : "private, no-cache";
  const type = sent["content-type"] === undefined ? undefined : safeType(call, sent["content-type"]);
  const isListing = jsonTypes.includes(essenceOf(type));
  const isDownload = type !== undefined && (downloadTypes.has(type) || (path.includes("/container/") && !isListing));
  const disposition = safeDisposition(sent["content-disposition"], isDownload);
  if (disposition !== undefined) headers["content-disposition"] = disposition;
  if (type !== undefined) headers["content-type"] = type;
  return { ...headers, ...safetyHeaders(type ?? "") };
}

/** The paths that a redirect may lead to. */
const commonApi = /^\/api\/(?!sync\/)/;
/** The path without the id of its object. */
const withoutId = (path: string): string => path.replace(/^(\/api\/[^/]+\/)[^/?]+/, "$1");

/**
 * Converts the address of a server's redirect to this replica's. A read may be redirected to any path of the common
 * API. A change may only be redirected to the same path with another id, so that the server cannot choose another
 * change.
 * @param call `url` is the path of the call with its query, percent-encoded
 * @throws Failure 503 for any other address.
 */
export function forwardedLocation(
  location: string,
  call: { isRead: boolean; url: string },
  { server, own }: { server: string; own: string },
): string {
  const path = location.startsWith(`${server}/`) ? location.slice(server.length) : undefined;
  const target = path !== undefined && URL.canParse(path, own) ? new URL(path, own) : undefined;
  const isAllowed = target !== undefined && target.origin === own && commonApi.test(target.pathname);
  if (isAllowed && (call.isRead || withoutId(`${target.pathname}${target.search}`) === withoutId(call.url)))
    return target.href;
  throw new Failure("unavailable", "The server answered with a redirect that this app does not follow.");
}
