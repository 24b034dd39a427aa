import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import express, { Router } from "express";

const folder = join(import.meta.dirname, "../../out/renderer");
const pagePattern = /^\/(records|uploads|me|sync|settings|welcome|activity)(\/|$)/;

/** The app's own files and pages, and health: readable without the secret, they hold nothing of the person. */
export const isAppPath = (path: string): boolean =>
  path === "/" || path === "/ping" || path === "/healthz" || path.startsWith("/assets/") || pagePattern.test(path);

/** What the app's pages may load and do (design, ux 4). The nonce is for the one style element React Aria adds. */
const policy = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    `style-src 'self' 'nonce-${nonce}'`,
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
  router.get(/.*/, async (req, res, next) => {
    const isPage = req.path === "/" || pagePattern.test(req.path);
    const page = join(folder, "index.html");
    if (!isPage || !existsSync(page)) return next();
    const nonce = randomBytes(16).toString("base64");
    res.setHeader("Content-Security-Policy", policy(nonce));
    res.setHeader("Referrer-Policy", "no-referrer");
    res.setHeader("Cache-Control", "no-cache");
    res.type("html").send((await readFile(page, "utf8")).replaceAll("%CSP_NONCE%", nonce));
  });
  return router;
}
