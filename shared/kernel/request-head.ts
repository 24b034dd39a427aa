import type { IncomingMessage } from "node:http";

/**
 * Headers that a call may have once. Node keeps the first line or joins all of them, while a proxy in front may have
 * read the last one.
 */
const sentOnce = ["host", "authorization", "content-type", "idempotency-key"];

/** `http://host` with the host as URLs write it; undefined when it is none. */
const originOf = (scheme: string, host: string): string | undefined =>
  /^[^\s/?#@\\]+$/.test(host) ? URL.parse(`${scheme}//${host}`)?.host : undefined;

/** Whether the target is a path, `*`, or an absolute address of the host that `Host` names (RFC 9112, 3.2.2). */
function isReadableTarget(target: string, host: string | undefined): boolean {
  if (target.startsWith("/") || target === "*") return true;
  const [, scheme, named = ""] = /^(https?:)\/\/([^/?#]*)/i.exec(target) ?? [];
  if (scheme === undefined || !URL.canParse(target)) return false;
  const origin = originOf(scheme, named);
  return origin !== undefined && (host === undefined || originOf(scheme, host) === origin);
}

/** What the server answers to a head that it refuses before any route; undefined for a head in order. */
export function refusalOfHead(req: IncomingMessage): 400 | 501 | undefined {
  const { headers, headersDistinct, httpVersion, url = "" } = req;
  const { host, "transfer-encoding": transferEncoding } = headers;
  if (sentOnce.some((name) => (headersDistinct[name]?.length ?? 0) > 1)) return 400;
  // HTTP/1.0 knows neither `Host` nor chunks (RFC 9112, 3.2 and 6.1).
  if (host === undefined ? httpVersion !== "1.0" : originOf("http:", host) === undefined) return 400;
  if (!isReadableTarget(url, host)) return 400;
  if (transferEncoding === undefined || /^chunked$/i.test(transferEncoding)) {
    return transferEncoding !== undefined && httpVersion === "1.0" ? 400 : undefined;
  }
  return /(?:^|,)[ \t]*chunked$/i.test(transferEncoding) ? 501 : 400;
}
