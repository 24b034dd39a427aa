import type { Request } from "express";
import { Failure } from "./failure.ts";

function isOwnOrigin({ headers: { origin, host } }: Request): boolean {
  try {
    return origin !== undefined && new URL(origin).host === host;
  } catch {
    return false;
  }
}

/**
 * A call with which a browser would be signed in. Programs tell no page; a page of another site could send JSON without
 * its type, which needs no consent of ours. @throws Failure 403 if it was a page of another host.
 */
export function assertNoOtherPage(req: Request): void {
  const { origin, "sec-fetch-site": site } = req.headers;
  if (site === "none" || (site === undefined && origin === undefined)) return;
  assertOwnPage(req);
}

/** Browsers tell which page sent a form: by `Sec-Fetch-Site` on https and on this computer, by `Origin` elsewhere. */
export function isFromOwnPage(req: Request): boolean {
  const site = req.headers["sec-fetch-site"];
  return site === undefined ? isOwnOrigin(req) : site === "same-origin";
}

/** @throws Failure 403 unless a page of this host sent the form. */
export function assertOwnPage(req: Request): void {
  if (!isFromOwnPage(req)) throw new Failure("forbidden", "This was not sent from a page of this site.");
}
