import type { Request, Response, Router } from "express";
import { newRouter, resource, routesAbout } from "../kernel/resource.ts";
import type { BuiltApp } from "./built-app.ts";

export interface WebAppOptions {
  app: BuiltApp;
  /** Whether the call is for a page of the app. */
  isPage(req: Request): boolean;
  /** Whether credentials are not looked at, because the host checked them before. */
  isOpen: boolean;
  /** Answers the call for a page of the app. */
  answer(req: Request, res: Response): Promise<void> | void;
}

/** A browser window asks for a page. Programs that name no type do not. */
export const isPageCall = (req: Request): boolean =>
  ["GET", "HEAD"].includes(req.method) && !/^\/api(\/|$)/.test(req.path) && req.accepts(["json", "html"]) === "html";

/** Serves the files of the app, and its pages at the addresses that the host chooses. */
export function webAppRoutes({ app, isPage, isOpen, answer }: WebAppOptions): Router {
  const router = newRouter();
  router.use("/assets", ...app.assets);
  const pages = routesAbout("host");
  resource(pages, "/{*page}", { isFree: true, GET: { isOpen, produces: [], handle: answer } });
  router.use((req, res, next) => (isPage(req) ? pages(req, res, next) : next()));
  return router;
}
