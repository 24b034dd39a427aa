import type { RequestHandler } from "express";
import type { AccessService } from "../shared/access/access.service.ts";
import type { Host } from "../shared/kernel/host.ts";
import { namesPages } from "../shared/kernel/negotiation.ts";
import { linkCookie } from "./link-cookie.ts";

/**
 * A browser that opens `?token=` keeps the link in a cookie and goes to the address without it, so that the secret stays
 * out of the history, of referrers and of screenshots (web 9). Programs keep the address.
 */
export function linkVisit({ host, access }: { host: Host; access: AccessService }): RequestHandler {
  async function visit(...[req, res, next]: Parameters<RequestHandler>): Promise<void> {
    const { token, ...others } = req.query as Record<string, string | string[]>;
    const isPage = req.method === "GET" && namesPages(req.headers.accept);
    if (!isPage || typeof token !== "string" || !(await access.isOpenLink(host.db, token))) return next();
    const query = new URLSearchParams(
      Object.entries(others).flatMap(([name, values]) => [values].flat().map((value) => [name, value])),
    ).toString();
    res.setHeader("Set-Cookie", linkCookie(host, req, token));
    res.setHeader("Cache-Control", "no-store");
    res.setHeader("Referrer-Policy", "no-referrer");
    res.redirect(303, `${req.path}${query === "" ? "" : `?${query}`}`);
  }
  return (req, res, next) => {
    if (!/^\/(records|uploads)\/[^/]/.test(req.path)) return next();
    visit(req, res, next).catch(next);
  };
}
