import type { Request, Response, Router } from "express";
import { callerOf } from "../shared/kernel/resource.ts";
import { builtApp } from "../shared/web-app/built-app.ts";
import { isPageCall, webAppRoutes } from "../shared/web-app/web-app.routes.ts";

const pagePattern =
  /^\/(me(\/(uploads|requests|records)(\/|$)|\/?$)|uploads\/|activity\/?$|people(\/|$)|administration(\/|$)|settings(\/|$))/;

/** Whether the call shows a token. It opens the plain page of one object, which needs no account. */
const hasToken = ({ headers, query }: Request): boolean =>
  headers.authorization !== undefined || query.token !== undefined || query.access_token !== undefined;

/** The app for signed-in users, at the addresses of the API's `self_html` links (design, web 3). */
export function appPages(folder: string | undefined): Router {
  const app = builtApp(folder);

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
    isPage: (req) => pagePattern.test(req.path) && isPageCall(req) && !hasToken(req),
    isOpen: false,
    answer,
  });
}
