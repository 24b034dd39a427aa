import type { IncomingHttpHeaders } from "node:http";
import { isServedInline, memberType, safetyHeaders } from "../../shared/files/content-headers.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { jsonTypes } from "../../shared/kernel/negotiation.ts";
import { recordTypes, sentTypes } from "../../shared/representations/representations.ts";

/**
 * Limits the server's answers under the replica's own origin. The server is trusted with data, never with the origin:
 * nothing that it sends may run as a page (security 4).
 */

/** Headers that only describe the answer. All other headers of the server are dropped. */
const passedHeaders = [
  "accept-encoding",
  "accept-ranges",
  "allow",
  "content-md5",
  "content-range",
  "etag",
  "idempotency-replayed",
  "last-modified",
  "preference-applied",
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

const opaque = "application/octet-stream";
const texts = new Set([...jsonTypes, ...recordTypes.map(essenceOf), "application/problem+json", "text/plain"]);
const downloads = new Set([opaque, "application/zip"]);

/** The type of a file in an archive, from its name as on the server; undefined for any other path. */
function memberTypeOf(path: string): string | undefined {
  if (!path.includes("/container/")) return undefined;
  return memberType(decodeURIComponent(path.slice(path.lastIndexOf("/") + 1)));
}

/** A forwarded call. */
interface PassedCall {
  /** Percent-encoded. */
  path: string;
  isAvatar: boolean;
}

/**
 * The type of a forwarded answer.
 * @param type the server's `Content-Type`
 */
function passedType({ path, isAvatar }: PassedCall, type: string | undefined): string {
  const essence = essenceOf(type);
  if (type !== undefined && sentTypes.includes(type)) return type;
  if (isAvatar && essence === "image/svg+xml") return "image/svg+xml; charset=utf-8";
  if (texts.has(essence)) return /;\s*charset="?utf-8"?/i.test(type ?? "") ? `${essence}; charset=utf-8` : essence;
  if (downloads.has(essence) || isServedInline(essence)) return essence;
  const member = memberTypeOf(path);
  return member !== undefined && essenceOf(member) === essence ? member : opaque;
}

function passedDisposition(sent: string | undefined, isDownload: boolean): string | undefined {
  const isFit = sent !== undefined && /^(?:inline|attachment)(?:;|$)/.test(sent);
  if (!isDownload) return isFit ? sent : undefined;
  return isFit ? sent.replace(/^inline/, "attachment") : "attachment";
}

const knownCaching = new Set(["no-store", "private, no-store", "private, no-cache", "private, max-age=300"]);

/** Allows only a bearer challenge. Others make a browser ask for a password in the name of this replica. */
const bearerChallenge = /^Bearer realm="api"(?:, error(?:_description)?="[\w ]*"|, scope="[\w ]*")*$/;

/** The headers of a forwarded answer, except its length. */
export function passedHeadersOf(call: PassedCall, sent: IncomingHttpHeaders): Record<string, string> {
  const { path } = call;
  const headers: Record<string, string> = {};
  for (const name of passedHeaders) {
    const value = sent[name];
    if (typeof value === "string") headers[name] = value;
  }
  const challenge = sent["www-authenticate"];
  if (challenge !== undefined && bearerChallenge.test(challenge)) headers["www-authenticate"] = challenge;
  const caching = sent["cache-control"];
  if (caching !== undefined) headers["cache-control"] = knownCaching.has(caching) ? caching : "private, no-cache";
  const type = sent["content-type"] === undefined ? undefined : passedType(call, sent["content-type"]);
  const isListing = jsonTypes.includes(essenceOf(type));
  const isDownload = type !== undefined && (downloads.has(type) || (path.includes("/container/") && !isListing));
  const disposition = passedDisposition(sent["content-disposition"], isDownload);
  if (disposition !== undefined) headers["content-disposition"] = disposition;
  if (type !== undefined) headers["content-type"] = type;
  return { ...headers, ...safetyHeaders(type ?? "") };
}

const movable = /^\/api\/(?!sync\/)/;
/** The path without the id of its object. */
const aroundId = (path: string): string => path.replace(/^(\/api\/[^/]+\/)[^/?]+/, "$1");

/**
 * The target of a server's redirect on this replica. A read may lead to any path of the common API. A change may only
 * lead to the same call under the object's other id, so that the server cannot turn it into another change.
 * @param call the path of the call with its query, percent-encoded
 * @throws Failure 503 for any other address.
 */
export function passedLocation(
  location: string,
  call: { isRead: boolean; url: string },
  { server, own }: { server: string; own: string },
): string {
  const path = location.startsWith(`${server}/`) ? location.slice(server.length) : undefined;
  const target = path !== undefined && URL.canParse(path, own) ? new URL(path, own) : undefined;
  const isHere = target !== undefined && target.origin === own && movable.test(target.pathname);
  if (isHere && (call.isRead || aroundId(`${target.pathname}${target.search}`) === aroundId(call.url)))
    return target.href;
  throw new Failure("unavailable", "The server answered with a redirect that this app does not follow.");
}
