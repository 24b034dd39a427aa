import type { RequestHandler } from "express";

const allowedHeaders = [
  "Authorization, Content-Type, If-Match, If-None-Match, X-CSRFToken, Idempotency-Key, X-Request-ID",
  "If-Modified-Since, If-Range, Range",
  "Upload-Offset, Upload-Complete, Upload-Length, Repr-Digest",
].join(", ");
const exposedHeaders = [
  "ETag, Link, Location, X-Request-ID, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After",
  "Accept-Ranges, Content-Disposition, Content-Range, Upload-Offset, Upload-Complete, Upload-Limit",
].join(", ");
const methods = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

/**
 * Lets pages of origins that the operator listed call the API with tokens (search-and-conventions 11). Credentials mode
 * is not offered, so browsers never send a session cookie.
 */
export function cors(origins: readonly string[]): RequestHandler {
  const listed = new Set(origins.map((origin) => new URL(origin).origin));
  return (req, res, next) => {
    const { origin } = req.headers;
    if (listed.size > 0) res.vary("Origin");
    if (origin === undefined || !listed.has(origin)) return next();
    res.setHeader("Access-Control-Allow-Origin", origin);
    res.setHeader("Access-Control-Expose-Headers", exposedHeaders);
    const isPreflight = req.method === "OPTIONS" && req.headers["access-control-request-method"] !== undefined;
    if (!isPreflight) return next();
    res.setHeader("Access-Control-Allow-Methods", methods);
    res.setHeader("Access-Control-Allow-Headers", allowedHeaders);
    res.setHeader("Access-Control-Max-Age", "600");
    res.status(204).end();
  };
}
