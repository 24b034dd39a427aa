import type { Request, Response, Router } from "express";
import { isHttps } from "../shared/kernel/client-address.ts";
import type { Host } from "../shared/kernel/host.ts";
import { callerOf } from "../shared/kernel/resource.ts";
import { cookieOf, hostCookie } from "../shared/sign-in/cookies.ts";
import { builtApp } from "../shared/web-app/built-app.ts";
import { isPageCall, webAppRoutes } from "../shared/web-app/web-app.routes.ts";
import { linkCookieOf } from "./link-cookie.ts";

const pagePattern =
  /^\/(me(\/(uploads|requests|records|collections)(\/|$)|\/?$)|uploads\/|activity\/?$|people(\/|$)|administration(\/|$)|settings(\/|$))/;

/** Whether the call shows a token. It opens the plain page of one object, which needs no account. */
const hasToken = ({ headers, query }: Request): boolean =>
  headers.authorization !== undefined || query.token !== undefined || query.access_token !== undefined;

/** The app for signed-in users, at the addresses of the API's `self_html` links (design, web 3). */
export function appPages(host: Host, folder: string | undefined): Router {
  const app = builtApp(folder);

  /** Whether the caller opens an object by a link alone. */
  const isLinkVisitor = (req: Request): boolean =>
    linkCookieOf(host, req).length > 0 && cookieOf(req, hostCookie("session", isHttps(host, req))) === undefined;

  async function answer(req: Request, res: Response): Promise<void> {
    res.vary("Cookie");
    if (callerOf(req).via !== "session") {
      res.setHeader("Cache-Control", "no-store");
      res.redirect(302, `/sign-in?next=${encodeURIComponent(req.originalUrl)}`);
    } else if (/^\/me\/?$/.test(req.path)) res.redirect(302, "/me/uploads");
    else await app.send(res, 200);
  }

  return webAppRoutes({
    app,
    isPage: (req) => pagePattern.test(req.path) && isPageCall(req) && !hasToken(req) && !isLinkVisitor(req),
    isOpen: false,
    answer,
  });
}
