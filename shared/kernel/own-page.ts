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
 * Browsers tell which page sent a form: by `Sec-Fetch-Site` on https and on this computer, by `Origin` elsewhere.
 * @throws Failure 403 unless it was a page of this host.
 */
export function assertOwnPage(req: Request): void {
  const site = req.headers["sec-fetch-site"];
  if (site === undefined ? isOwnOrigin(req) : site === "same-origin") return;
  throw new Failure("forbidden", "The form was not sent from a page of this site.");
}
