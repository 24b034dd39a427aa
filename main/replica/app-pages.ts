import type { Router } from "express";
import { builtApp } from "../../shared/web-app/built-app.ts";
import { isPageCall, webAppRoutes } from "../../shared/web-app/web-app.routes.ts";

const pagePattern = /^\/(records|uploads|me|sync|settings|welcome|activity|people|administration)(\/|$)/;
const isAppPage = (path: string): boolean => path === "/" || pagePattern.test(path);

/** Whether a path is a file or page of the app, the health check or `/api/host`. These have no user data and need no secret. */
export const isAppPath = (path: string): boolean =>
  isAppPage(path) || ["/ping", "/healthz", "/api/host"].includes(path) || path.startsWith("/assets/");

/** Serves the app at the addresses in the API's `self_html` links. For an unknown address, the app shows an error page. */
export function appPages(): Router {
  const app = builtApp();
  return webAppRoutes({
    app,
    isPage: (req) => isAppPage(req.path) || isPageCall(req),
    // `local-guard.ts` has checked the session already.
    isOpen: true,
    answer: (req, res) => app.send(res, isAppPath(req.path) ? 200 : 404),
  });
}
