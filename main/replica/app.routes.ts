import { existsSync } from "node:fs";
import { join } from "node:path";
import express, { Router } from "express";

const folder = join(import.meta.dirname, "../../out/renderer");
const pagePattern = /^\/(records|uploads|me|sync|settings|welcome|library|requests|admin)(\/|$)/;

/** The app's own files and pages, and health: readable without the secret, they hold nothing of the person. */
export const isAppPath = (path: string): boolean =>
  path === "/" || path === "/ping" || path === "/healthz" || path.startsWith("/assets/") || pagePattern.test(path);

/** What the app's pages may load and do (design, ux 4). */
const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' blob: data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "media-src 'self' blob:",
  "frame-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Serves the app at its addresses, which are those of the API's `self_html` links. */
export function appRoutes(): Router {
  const router = Router();
  router.use("/assets", express.static(join(folder, "assets"), { immutable: true, maxAge: "1y" }));
  router.get(/.*/, (req, res, next) => {
    const isPage = req.path === "/" || pagePattern.test(req.path);
    const page = join(folder, "index.html");
    if (!isPage || !existsSync(page)) return next();
    res.setHeader("Content-Security-Policy", policy);
    res.setHeader("Referrer-Policy", "no-referrer");
    res.setHeader("Cache-Control", "no-cache");
    res.sendFile(page);
  });
  return router;
}
