import type { Router } from "express";
import { builtApp } from "../../shared/web-app/built-app.ts";
import { isPageCall, webAppRoutes } from "../../shared/web-app/web-app.routes.ts";

const pagePattern = /^\/(records|uploads|me|sync|settings|welcome|activity|people|administration)(\/|$)/;
const isAppPage = (path: string): boolean => path === "/" || pagePattern.test(path);

/** The app's files and pages, health, and what this host is. They hold no user data, so they need no secret. */
export const isAppPath = (path: string): boolean =>
  isAppPage(path) || ["/ping", "/healthz", "/api/host"].includes(path) || path.startsWith("/assets/");

/** The app at its addresses, which the API's `self_html` links name. The app itself shows unknown pages. */
export function appPages(): Router {
  const app = builtApp();
  return webAppRoutes({
    app,
    isPage: (req) => isAppPage(req.path) || isPageCall(req),
    // The door checked the session.
    isOpen: true,
    answer: (req, res) => app.send(res, isAppPath(req.path) ? 200 : 404),
  });
}
