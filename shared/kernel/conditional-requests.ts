import { Failure } from "./failure.ts";

/** The strong ETag of a resource with a revision (records 1.4). */
export const etagOf = (revision: number): string => `"${revision}"`;

/** A demand that could not be read; nothing has this revision. */
const unreadable = -1;

/**
 * What an `If-Match` header demands: a revision, or undefined for none or `*`. Accepts `5`, `"5"`, `W/"5"`, `*`.
 * Anything else is refused where the revision is judged, after existence and permission (requests 1, check order).
 */
export function ifMatchRevision(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === "*") return undefined;
  const revision = /^(?:W\/(?="))?("?)(\d{1,15})\1$/.exec(header.trim())?.[2];
  return revision === undefined ? unreadable : Number(revision);
}

/** @throws Failure 412 when a revision was demanded and it is not the current one; 400 when the demand was unreadable. */
export function assertRevision(demanded: number | undefined, current: number): void {
  if (demanded === undefined || demanded === current) return;
  if (demanded === unreadable) {
    throw new Failure("invalid", "Invalid 'If-Match' header: a revision number is expected.");
  }
  throw new Failure("stale", `Revision id provided(${demanded}) doesn't match record's one(${current})`);
}

/** Whether `If-None-Match` names this ETag (weak comparison), so that 304 is the answer. */
export function isNotModified(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === "*") return true;
  const bare = etag.replace(/^W\//, "");
  return header.split(",").some((part) => part.trim().replace(/^W\//, "") === bare);
}

/** Whether a `Prefer` header (RFC 7240) asks for merging in place of a refusal: `handling=merge` among others. */
export const prefersMerge = (header: string | string[] | undefined): boolean =>
  String(header ?? "")
    .split(",")
    .some((preference) => /^\s*handling\s*=\s*"?merge"?\s*(?:;.*)?$/i.test(preference));
