import type { IncomingHttpHeaders } from "node:http";
import { Failure } from "./failure.ts";

/** The strong ETag of a resource with a revision (records 1.4). */
export const etagOf = (revision: number): string => `"${revision}"`;

/** Stands for a malformed `If-Match`; no object has this revision. */
const unreadable = -1;

/** Stands for `If-None-Match: *`: nothing may be there yet. */
const none = -2;

/** Whether a change demands that it creates: `If-None-Match: *` (RFC 9110, 13.1.2). */
export const demandsNone = ({ "if-none-match": header }: IncomingHttpHeaders): boolean => header?.trim() === "*";

/** 412 for a change that was to create something. */
export const thereAlready = (): Failure =>
  new Failure("stale", "This exists already: 'If-None-Match: *' forbids to change it.");

/**
 * The revision that an `If-Match` header requires; undefined for no header or `*`. Accepts `5`, `"5"`, `W/"5"`, `*`.
 * `assertRevision` refuses anything else, and `If-None-Match: *`, after existence and permission were checked (requests
 * 1, check order).
 */
export function demandedRevision(headers: IncomingHttpHeaders): number | undefined {
  if (demandsNone(headers)) return none;
  const header = headers["if-match"];
  if (header === undefined || header.trim() === "*") return undefined;
  const revision = /^(?:W\/(?="))?("?)(\d{1,15})\1$/.exec(header.trim())?.[2];
  return revision === undefined ? unreadable : Number(revision);
}

/** @throws Failure 412 when the required revision is not the current one, or none may be there; 400 when the header was malformed. */
export function assertRevision(demanded: number | undefined, current: number): void {
  if (demanded === undefined || demanded === current) return;
  if (demanded === none) throw thereAlready();
  if (demanded === unreadable) {
    throw new Failure("invalid", "Invalid 'If-Match' header: a revision number is expected.");
  }
  throw new Failure("stale", `Revision id provided(${demanded}) doesn't match record's one(${current})`);
}

/** Whether `If-None-Match` has this ETag (weak comparison), so that the answer is 304. */
export function isNotModified(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === "*") return true;
  const bare = etag.replace(/^W\//, "");
  return header.split(",").some((part) => part.trim().replace(/^W\//, "") === bare);
}

/** Whether `If-Modified-Since` is not before `Last-Modified` (RFC 9110, 13.1.3): it counts without `If-None-Match`. */
export function isUnchangedSince(header: string | undefined, modifiedMs: number): boolean {
  const since = Date.parse(header ?? "");
  return !Number.isNaN(since) && Math.floor(modifiedMs / 1000) * 1000 <= since;
}

/** Whether a `Prefer` header (RFC 7240) has `handling=merge`: merge instead of refusing. */
export const prefersMerge = (header: string | string[] | undefined): boolean =>
  String(header ?? "")
    .split(",")
    .some((preference) => /^\s*handling\s*=\s*"?merge"?\s*(?:;.*)?$/i.test(preference));
