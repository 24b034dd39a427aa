import type { ErrorRequestHandler, Request, RequestHandler, Response } from "express";
import type { Logger } from "pino";
import { shortJson } from "./answer.ts";
import { hasBody } from "./body.ts";
import type { Caller } from "./caller.ts";
import { diskFull, isDiskFull, isStorageDown, storageDown } from "./disk-full.ts";
import { Failure } from "./failure.ts";
import type { RouteCall } from "./route-facts.ts";

const cutCodes = ["ECONNRESET", "ERR_STREAM_PREMATURE_CLOSE"];

/** Whether the client closed the connection before the whole body was read. */
const isCut = (error: unknown, req: Request): boolean =>
  hasBody(req) &&
  req.destroyed &&
  !req.readableEnded &&
  error instanceof Error &&
  "code" in error &&
  cutCodes.includes(String(error.code));

/** The refusal for a disk that fails, and for what the client did wrong or broke off; undefined for bugs. */
function asFailure(error: unknown, req: Request): Failure | undefined {
  if (error instanceof Failure) return error;
  if (isCut(error, req)) return new Failure("invalid", "The connection was closed before the whole body had arrived.");
  if (isDiskFull(error)) return diskFull();
  if (isStorageDown(error)) return storageDown();
  const status = error instanceof Error && "status" in error ? Number(error.status) : 0;
  return status === 400 || error instanceof URIError
    ? new Failure("invalid", "The request could not be read.")
    : undefined;
}

/** Answers 404 in JSON when no route matches (search-and-conventions 10). */
export const unknownRoute: RequestHandler = () => {
  throw new Failure(
    "not_found",
    "The requested URL was not found on the server. If you entered the URL manually please check your spelling and try again.",
  );
};

/** A caller without credentials gets `WWW-Authenticate` (requests-users-groups 1). */
const isWithoutCredentials = (res: Response): boolean => (res.locals.caller as Caller | undefined)?.via === "anonymous";

/** Headers that a route may have set for content that it then could not send. */
const contentHeaders = [
  "ETag",
  "Accept-Ranges",
  "Content-Disposition",
  "Content-Encoding",
  "Content-Length",
  "Content-MD5",
  "Content-Range",
  "Last-Modified",
];

/** The path of a link in a mail is a secret that opens an account. */
function loggedPath(req: Request, res: Response): string {
  const pattern = (res.locals.route as RouteCall | undefined)?.pattern ?? "";
  return pattern.includes("/:token") ? pattern : req.path;
}

function sendJson(req: Request, res: Response, failure: Failure | undefined): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  for (const [name, value] of Object.entries(failure?.headers ?? {})) res.setHeader(name, value);
  if (failure?.kind === "forbidden" && isWithoutCredentials(res))
    res.setHeader("WWW-Authenticate", 'Bearer realm="api"');
  res.status(failure?.status ?? 500);
  if (!res.hasHeader("Cache-Control")) res.setHeader("Cache-Control", "no-store");
  res.setHeader("Content-Type", "application/json");
  const body = shortJson(req, failure?.toBody() ?? { status: 500, message: "Internal server error" });
  res.setHeader("Content-Length", Buffer.byteLength(body));
  res.end(body);
}

/** Sends an error as a page to a browser, undefined to everybody else. @param failure undefined for bugs. */
export type AnswerErrorPage = (req: Request, res: Response, failure: Failure | undefined) => Promise<void> | undefined;

/**
 * Sends all errors: `{status, message, errors?}`, or a page where the host has one. Anything but a `Failure` is logged
 * and answered 500, or 503 where the storage is the cause.
 */
export function errorHandler(log: Logger, answerPage?: AnswerErrorPage): ErrorRequestHandler {
  return (error, req, res, _next) => {
    const note = (err: unknown) =>
      log.error({ err, requestId: res.getHeader("X-Request-ID"), method: req.method, path: loggedPath(req, res) });
    const failure = asFailure(error, req);
    if (!failure || isStorageDown(error)) note(error);
    if (!res.headersSent) for (const name of contentHeaders) res.removeHeader(name);
    const page = res.headersSent ? undefined : answerPage?.(req, res, failure);
    if (!page) return sendJson(req, res, failure);
    page.catch((reason) => {
      note(reason);
      sendJson(req, res, failure);
    });
  };
}
