import { randomBytes } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import express, { type RequestHandler, type Response } from "express";
import mime from "mime-types";
import { acceptedCoding, type Coding } from "../kernel/content-coding.ts";
import { pagePolicy, withNonce } from "./page-policy.ts";

/** Where the build puts the app. */
const builtFolder = join(import.meta.dirname, "../../out/renderer");

/** Shown where the app was never built, as in a source checkout that only ran headless. */
const unbuilt = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Carrel</title></head>
<body><main><h1>Carrel</h1><p>The pages of the app have not been built here yet.
In a source checkout run <code>npm run build</code>, then reload this page. An installed Carrel has them.</p>
<p>The API answers at this address.</p></main></body></html>
`;

/** Files of the build end with a digest of their content, so they never change. */
const forever = { immutable: true, maxAge: "1y" } as const;
const suffixOf: Record<Coding, string> = { gzip: ".gz", br: ".br" };

/** The coding of a file that the build compressed. Browsers that accept brotli get it, because it is the smaller one. */
function codingFor(header: string | undefined): Coding | undefined {
  return /\bbr\b(?!;\s*q=0(?:\.0*)?(?:,|$))/.test(header ?? "") ? "br" : acceptedCoding(header);
}

/** Leads to the compressed form of a file, if the build wrote one. */
function precompressed(folder: string): RequestHandler {
  return (req, res, next) => {
    const coding = codingFor(req.headers["accept-encoding"]);
    const isPlainName = /^\/[\w-][\w.-]*$/.test(req.path);
    res.vary("Accept-Encoding");
    if (isPlainName && coding !== undefined && existsSync(join(folder, req.path + suffixOf[coding]))) {
      res.setHeader("Content-Type", mime.contentType(req.path.slice(1)) || "application/octet-stream");
      res.setHeader("Content-Encoding", coding);
      req.url = req.path + suffixOf[coding];
    }
    next();
  };
}

/** The path of the script for plain pages; undefined where the app was not built. */
export const pageScript = (folder = builtFolder): string | undefined => builtAsset(folder, /^enhance-[\w-]+[.]js$/);

/** The path of the font for plain pages: the letters of Western languages. */
export const pageFont = (folder = builtFolder): string | undefined =>
  builtAsset(folder, /^inter-latin-wght-normal-[\w-]+[.]woff2$/);

function builtAsset(folder: string, pattern: RegExp): string | undefined {
  const assets = join(folder, "assets");
  const name = existsSync(assets) ? readdirSync(assets).find((one) => pattern.test(one)) : undefined;
  return name && `/assets/${name}`;
}

/** The app as it was built: its files, and the one page that all its addresses share. */
export interface BuiltApp {
  /** Handlers for `/assets`. */
  readonly assets: RequestHandler[];
  /** Sends the page with its policy, or what to do where the app was not built. */
  send(res: Response, status: number): Promise<void>;
}

export function builtApp(folder = builtFolder): BuiltApp {
  const assets = join(folder, "assets");
  const page = join(folder, "index.html");
  return {
    assets: [precompressed(assets), express.static(assets, { ...forever, index: false })],
    async send(res, status) {
      res.setHeader("Referrer-Policy", "no-referrer");
      res.setHeader("Cache-Control", "no-store");
      if (!existsSync(page)) {
        res.setHeader("Content-Security-Policy", "default-src 'none'");
        res.status(status).type("html").send(unbuilt);
        return;
      }
      const nonce = randomBytes(16).toString("base64url");
      res.setHeader("Content-Security-Policy", pagePolicy(nonce));
      res
        .status(status)
        .type("html")
        .send(withNonce(await readFile(page, "utf8"), nonce));
    },
  };
}
