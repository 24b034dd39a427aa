import type { Request, RequestHandler, Response } from "express";
import type { FileEntryRow } from "../../shared/database/schema.ts";
import { etagOf, guessType } from "../../shared/files/content-headers.ts";
import type { FileLookup } from "../../shared/files/file-lookup.service.ts";
import { asSent, sendStream } from "../../shared/files/send-content.ts";
import { anonymous } from "../../shared/kernel/caller.ts";
import { isNotModified } from "../../shared/kernel/conditional-requests.ts";
import { Failure, notFound } from "../../shared/kernel/failure.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { isLoopback } from "../../shared/sync-protocol/connect.schema.ts";

/** Types that run in a browser, and so never come from the address of the pages. */
const types = new Map([
  ["text/html", "text/html; charset=utf-8"],
  ["application/xhtml+xml", "application/xhtml+xml; charset=utf-8"],
  ["image/svg+xml", "image/svg+xml"],
]);
const largest = 20_000_000;

const typeOf = ({ mimetype, key }: Pick<FileEntryRow, "mimetype" | "key">): string | undefined =>
  types.get((mimetype ?? guessType(key)).split(";")[0]?.trim() ?? "");

/** Whether a browser may send the cookies of one of the hosts to the other. Tests have several ports of this computer. */
function sharesCookies(one: URL, other: URL): boolean {
  const [a, b] = [one.hostname, other.hostname];
  if (a === b) return one.host === other.host || !isLoopback(a);
  return a.endsWith(`.${b}`) || b.endsWith(`.${a}`);
}

/** The second domain. @throws Failure `unavailable` if it shares cookies with the server's own, which would undo its purpose. */
export function contentOrigin({ baseUrl, settings }: Pick<Host, "baseUrl" | "settings">): URL | undefined {
  if (settings.content_url === undefined) return undefined;
  const origin = new URL(settings.content_url);
  if (!sharesCookies(origin, new URL(baseUrl))) return origin;
  throw new Failure(
    "unavailable",
    `The setting 'content_url' must name another domain than ${baseUrl}, and neither may be a subdomain of the other.`,
  );
}

/** The address at which a file is rendered; undefined without a second domain, and for types that do not run. */
export function renderedAddress(host: Pick<Host, "baseUrl" | "settings">, recordId: string, entry: FileEntryRow) {
  const origin = contentOrigin(host);
  if (!origin || typeOf(entry) === undefined || (entry.size ?? 0) > largest) return undefined;
  const path = entry.key.split("/").map(encodeURIComponent).join("/");
  return new URL(`/rendered/${encodeURIComponent(recordId)}/${path}`, origin).href;
}

/** Nothing is loaded from elsewhere or sent anywhere, and the page has an origin that nobody else has. */
const policy = (pages: string): string =>
  [
    "sandbox allow-scripts",
    "default-src 'none'",
    "script-src 'unsafe-inline' 'unsafe-eval'",
    "style-src 'unsafe-inline'",
    "img-src data: blob:",
    "media-src data: blob:",
    "font-src data:",
    "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors ${pages}`,
  ].join("; ");

/**
 * Deposited HTML and SVG as themselves, at a domain of their own that the operator set (`content_url`; web 6). Whoever
 * asks there is a stranger: cookies and tokens are not read, and none is set. Nothing else is at that domain.
 */
export function renderedContent(host: Host, lookup: Pick<FileLookup, "recordFile">): RequestHandler {
  const origin = contentOrigin(host);
  const pages = new URL(host.baseUrl).origin;

  async function answer(req: Request, res: Response): Promise<void> {
    if (req.method !== "GET" && req.method !== "HEAD") {
      res.setHeader("Allow", "GET, HEAD");
      throw new Failure("method_not_allowed", "Only GET and HEAD are possible here.");
    }
    const [, id = "", path = ""] = /^\/rendered\/([^/]+)\/(.+)$/.exec(req.path) ?? [];
    if (id === "") throw notFound();
    const key = path.split("/").map(decodeURIComponent).join("/");
    const find = () => lookup.recordFile(host.db, anonymous, decodeURIComponent(id), key);
    const { entry } = await find();
    const type = typeOf(entry);
    if (type === undefined || entry.status !== "completed" || (entry.size ?? 0) > largest) throw notFound();
    const file = asSent(entry);
    const etag = etagOf(file.md5);
    res.setHeader("ETag", etag);
    res.setHeader("Cache-Control", "public, no-cache");
    if (isNotModified(req.headers["if-none-match"], etag)) return void res.status(304).end();
    res.setHeader("Content-Type", type);
    res.setHeader("Content-Length", String(file.sizeBytes));
    res.status(200);
    if (req.method === "HEAD") return void res.end();
    await sendStream(res, await host.blobs.read(file.sha256, undefined), async () => void (await find()));
  }

  return (req, res, next) => {
    // Not `req.host`, which believes the `X-Forwarded-Host` of a client that its proxy passes on.
    if (!origin || req.headers.host?.toLowerCase() !== origin.host) return next();
    res.setHeader("Content-Security-Policy", policy(pages));
    res.setHeader("X-Content-Type-Options", "nosniff");
    res.setHeader("Referrer-Policy", "no-referrer");
    res.setHeader("X-Robots-Tag", "noindex");
    res.setHeader("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=()");
    answer(req, res).catch((error: unknown) => {
      if (res.headersSent) return res.destroy();
      // Who may not read a file does not learn whether it exists.
      const isKnown = error instanceof Failure || error instanceof URIError;
      if (!isKnown) return next(error);
      const status = error instanceof Failure && error.status === 405 ? 405 : 404;
      res.removeHeader("ETag");
      res.setHeader("Cache-Control", "no-store");
      res
        .status(status)
        .type("text/plain")
        .send(status === 405 ? "Method not allowed." : "There is nothing here.");
    });
  };
}
