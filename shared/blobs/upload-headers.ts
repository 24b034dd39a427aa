import type { IncomingHttpHeaders } from "node:http";
import { Failure } from "../kernel/failure.ts";

/** The headers of a PUT or PATCH (records 6.4.1). */
export interface UploadHeaders {
  /** Undefined: the client does not use the protocol, and an interrupted upload is dropped. */
  isComplete: boolean | undefined;
  /** The offset at which a PATCH continues. */
  offset: number | undefined;
  /** The `ETag` of the upload that a PATCH continues, if the client names it. */
  ifMatch?: string | undefined;
  /** Size of this body, if known. */
  contentLength: number | undefined;
  /** Size of the whole, if announced. */
  uploadLength: number | undefined;
  /** sha256 of the whole, lower-case hex. */
  sha256: string | undefined;
}

const one = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);

function count(headers: IncomingHttpHeaders, name: string): number | undefined {
  const text = one(headers[name.toLowerCase()])?.trim();
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new Failure("invalid", `Invalid '${name}' header: a number is expected.`);
  return Number(text);
}

function completeness(headers: IncomingHttpHeaders): boolean | undefined {
  const text = one(headers["upload-complete"])?.trim();
  if (text === undefined) return undefined;
  if (text !== "?1" && text !== "?0") throw new Failure("invalid", "Invalid 'Upload-Complete' header: ?0 or ?1.");
  return text === "?1";
}

function expectedTag(headers: IncomingHttpHeaders): string | undefined {
  const text = one(headers["if-match"])?.trim();
  return text === "*" ? undefined : text;
}

/** The sha-256 of a `Repr-Digest` (RFC 9530); other algorithms are ignored. */
function reprDigest(headers: IncomingHttpHeaders): string | undefined {
  const text = one(headers["repr-digest"]);
  const value = text === undefined ? undefined : /(?:^|,)\s*sha-256\s*=\s*([^,]*)/i.exec(text)?.[1]?.trim();
  if (value === undefined) return undefined;
  const bytes = Buffer.from(/^:([A-Za-z0-9+/=]*):$/.exec(value)?.[1] ?? "", "base64");
  if (bytes.byteLength !== 32)
    throw new Failure("invalid", "Invalid 'Repr-Digest' header: sha-256=:<base64>: is expected.");
  return bytes.toString("hex");
}

/** @throws Failure 400 if the body of a PUT is a part, which would take the place of the whole (RFC 9110, 14.5). */
export function assertWhole(headers: IncomingHttpHeaders): void {
  const range = one(headers["content-range"]);
  if (range === undefined) return;
  const [, end, size] = /^bytes 0-(\d{1,15})\/(\d{1,15})$/i.exec(range.trim()) ?? [];
  if (end !== undefined && Number(end) + 1 === Number(size)) return;
  throw new Failure(
    "invalid",
    "Invalid 'Content-Range' header: a PUT takes the whole content. Parts go by PATCH with 'Upload-Offset'.",
  );
}

/** @throws Failure 400 for an invalid header. */
export const uploadHeaders = (headers: IncomingHttpHeaders): UploadHeaders => ({
  isComplete: completeness(headers),
  offset: count(headers, "Upload-Offset"),
  ifMatch: expectedTag(headers),
  contentLength: count(headers, "Content-Length"),
  uploadLength: count(headers, "Upload-Length"),
  sha256: reprDigest(headers),
});
