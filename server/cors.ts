import type { RequestHandler, Response } from "express";

const allowedHeaders = [
  "Authorization, Content-Type, If-Match, If-None-Match, X-CSRFToken, Idempotency-Key, X-Request-ID, Range",
  "Upload-Offset, Upload-Complete, Upload-Length, Repr-Digest",
].join(", ");
const exposedHeaders = [
  "ETag, Link, Location, X-Request-ID, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After",
  "Content-Disposition, Content-Range, Upload-Offset, Upload-Complete, Upload-Limit",
].join(", ");
const methods = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

/** What pages of every origin may read where it is public, without credentials (interoperability 8). */
const publicPaths = /^\/api\/(?:iiif\/|records\/[^/]+\/files(?:\/|$))/;
const publicHeaders = "Accept, Accept-Language, If-Modified-Since, If-None-Match, If-Range, Range";

/** Allows a page to ask with these headers. Whether it may read the answer, the answer says. */
function allowReading(res: Response): void {
  res.setHeader("Access-Control-Allow-Origin", "*");
  res.setHeader("Access-Control-Allow-Methods", "GET, HEAD");
  res.setHeader("Access-Control-Allow-Headers", publicHeaders);
  res.setHeader("Access-Control-Max-Age", "600");
  res.status(204).end();
}

/**
 * Lets pages of origins that the operator listed call the API with tokens (search-and-conventions 11). Credentials mode
 * is not offered, so browsers never send a session cookie.
 */
export function cors(origins: readonly string[]): RequestHandler {
  const listed = new Set(origins.map((origin) => new URL(origin).origin));
  return (req, res, next) => {
    const { origin, "access-control-request-method": asked } = req.headers;
    if (listed.size > 0) res.vary("Origin");
    if (origin === undefined) return next();
    if (!listed.has(origin)) {
      const mayRead = req.method === "OPTIONS" && ["GET", "HEAD"].includes(asked ?? "") && publicPaths.test(req.path);
      return mayRead ? allowReading(res) : next();
    }
    res.setHeader("Access-Control-Allow-Origin", origin);
    res.setHeader("Access-Control-Expose-Headers", exposedHeaders);
    const isPreflight = req.method === "OPTIONS" && asked !== undefined;
    if (!isPreflight) return next();
    res.setHeader("Access-Control-Allow-Methods", methods);
    res.setHeader("Access-Control-Allow-Headers", allowedHeaders);
    res.setHeader("Access-Control-Max-Age", "600");
    res.status(204).end();
  };
}
