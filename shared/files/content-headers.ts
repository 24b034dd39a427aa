import { posix } from "node:path";
import { lookup } from "mime-types";
import { withoutMisleading } from "../kernel/characters.ts";

const inlineTypes = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/tiff",
  "audio/mpeg",
  "audio/ogg",
  "audio/wav",
  "audio/webm",
  "video/mp4",
  "video/ogg",
  "video/webm",
  "application/pdf",
]);

const asPlainText = new Set([
  "text/plain",
  "text/html",
  "image/svg+xml",
  "application/xhtml+xml",
  "application/xml",
  "application/javascript",
  "text/javascript",
  "application/json",
  "text/css",
  "text/csv",
  "text/xml",
]);

/** Types that mime-types names differently from the contract's table. */
const sameType = new Map([
  ["audio/x-wav", "audio/wav"],
  ["audio/wave", "audio/wav"],
  ["application/mp4", "video/mp4"],
]);

/** Whether a browser may show a type inline, because it does not execute it. */
export const isServedInline = (mimetype: string): boolean => inlineTypes.has(mimetype);

const plainText = "text/plain; charset=utf-8";
const unknownType = "application/octet-stream";
const pdf = "application/pdf";

/** Every type that the content of a file is served as (records 6.7). */
export const servedTypes: readonly string[] = [unknownType, ...inlineTypes, "text/plain"];

/** The type of a file name's extension, else `application/octet-stream` (records 6.4). */
export function guessType(name: string): string {
  // mime-types would take a name without an extension, such as `zip`, for an extension.
  const guess = lookup(posix.extname(name)) || unknownType;
  return sameType.get(guess) ?? guess;
}

/** The last part of a path with `/` separators. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** The type that the content of a file is served as, without parameters. */
export const servedType = (mimetype: string): string => servedAs(mimetype).contentType.split(";", 1)[0] ?? unknownType;

/** The type and disposition to serve, so that a browser does not run active content (records 6.7). */
function servedAs(mimetype: string): { contentType: string; disposition: "inline" | "attachment" } {
  if (isServedInline(mimetype)) return { contentType: mimetype, disposition: "inline" };
  if (asPlainText.has(mimetype)) return { contentType: plainText, disposition: "inline" };
  return { contentType: unknownType, disposition: "attachment" };
}

/** The served type of an archive member, guessed from its name; active types as plain text (records 11). */
export function memberType(name: string): string {
  const guess = guessType(name);
  return asPlainText.has(guess) ? plainText : guess;
}

const encodeRfc8187 = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Clients disagree about these in `filename`: curl ends at an escaped quotation mark, wget decodes `%20` (RFC 6266, D). */
const ambiguous = /["\\]|%(?=[0-9a-f]{2})/gi;

/** `attachment; filename="…"`, with `filename*` for names that `filename` cannot hold exactly (RFC 6266). */
export function contentDisposition(disposition: "inline" | "attachment", path: string): string {
  const name = withoutMisleading(baseName(path));
  // Command-line clients such as `curl -OJ` read `filename` alone: letters lose their accents.
  const unaccented = name.normalize("NFD").replace(/\p{M}/gu, "");
  const plain = unaccented.replace(/[^\x20-\x7e]/gu, "_").replace(ambiguous, "_");
  const extended = plain === name ? "" : `; filename*=UTF-8''${encodeRfc8187(name)}`;
  return `${disposition}; filename="${plain}"${extended}`;
}

/** Headers that keep downloaded bytes from acting as one of our pages. */
export function safetyHeaders(contentType: string): Record<string, string> {
  // PDF viewers of browsers do not work in a sandbox.
  const policy = contentType === pdf ? "default-src 'none'" : "default-src 'none'; sandbox";
  return {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": policy,
    "X-Frame-Options": "SAMEORIGIN",
  };
}

export interface ServedFile {
  key: string;
  mimetype: string;
  sizeBytes: number;
  /** 32 hex digits. */
  md5: string;
  /** Microseconds UTC. */
  updated: number;
}

export const etagOf = (md5: string): string => `"md5:${md5}"`;

/** All headers of a download of the whole file (records 6.7); `isDownload` stands for `?download=1`. */
export function contentHeaders(file: ServedFile, isDownload: boolean): Record<string, string> {
  const { contentType, disposition } = servedAs(file.mimetype);
  return {
    "Content-Type": contentType,
    "Content-Disposition": contentDisposition(isDownload ? "attachment" : disposition, file.key),
    "Content-Length": String(file.sizeBytes),
    "Content-MD5": file.md5,
    ETag: etagOf(file.md5),
    "Last-Modified": new Date(file.updated / 1000).toUTCString(),
    "Accept-Ranges": "bytes",
    ...safetyHeaders(contentType),
  };
}
