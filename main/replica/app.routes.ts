import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import express, { type Request, type Response, type Router } from "express";
import { newRouter, resource, routesAbout } from "../../shared/kernel/resource.ts";
import { pagePolicy, withNonce } from "./page-policy.ts";

const folder = join(import.meta.dirname, "../../out/renderer");
const pagePattern = /^\/(records|uploads|me|sync|settings|welcome|activity|people)(\/|$)/;

/** The app's files and pages, and health. They hold no user data, so they need no secret. */
export const isAppPath = (path: string): boolean =>
  path === "/" || path === "/ping" || path === "/healthz" || path.startsWith("/assets/") || pagePattern.test(path);

/** Shown when the pages were never built, as in a source checkout that only ran headless. */
const unbuilt = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Carrel</title></head>
<body><main><h1>Carrel</h1><p>The pages of the app have not been built here yet: npm start builds and opens them.</p>
<p>The API answers at this address.</p></main></body></html>
`;

/** Whether a browser window asks for an address outside the API. The app then shows that the page is unknown. */
const isUnknownPage = (req: Request): boolean =>
  ["GET", "HEAD"].includes(req.method) && !/^\/api(\/|$)/.test(req.path) && req.accepts(["json", "html"]) === "html";

async function sendApp(req: Request, res: Response): Promise<void> {
  const page = join(folder, "index.html");
  res.status(isAppPath(req.path) ? 200 : 404);
  res.setHeader("Referrer-Policy", "no-referrer");
  res.setHeader("Cache-Control", "no-store");
  if (!existsSync(page)) {
    res.setHeader("Content-Security-Policy", "default-src 'none'").type("html").send(unbuilt);
    return;
  }
  const nonce = randomBytes(16).toString("base64url");
  res.setHeader("Content-Security-Policy", pagePolicy(nonce));
  res.type("html").send(withNonce(await readFile(page, "utf8"), nonce));
}

/** Serves the app at its addresses, which are those of the API's `self_html` links. */
export function appRoutes(): Router {
  const router = newRouter();
  router.use("/assets", express.static(join(folder, "assets"), { immutable: true, maxAge: "1y" }));
  const pages = routesAbout("host");
  resource(pages, "/{*page}", { GET: { isOpen: true, produces: [], handle: sendApp } });
  router.use((req, res, next) => {
    const isPage = req.path === "/" || pagePattern.test(req.path) || isUnknownPage(req);
    return isPage ? pages(req, res, next) : next();
  });
  return router;
}
