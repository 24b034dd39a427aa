import type { RequestHandler } from "express";
import type { Logger } from "pino";

const untold = "calls come through a proxy; set --trust-proxy so that sign-in limits apply to each client";
const unread = "the proxy sends Forwarded, which is not read: make it send X-Forwarded-For as well";

/** Recognises a proxy that the server does not trust, by its header. Returns the header and advice. */
function findProxyHeader(
  headers: NodeJS.Dict<string | string[]>,
  isTold: boolean,
): { header: string; words: string } | undefined {
  const names = isTold ? ["forwarded"] : ["x-forwarded-for", "forwarded", "x-real-ip"];
  if (isTold && headers["x-forwarded-for"] !== undefined) return undefined;
  const header = names.find((name) => headers[name] !== undefined);
  return header === undefined ? undefined : { header, words: isTold ? unread : untold };
}

/** Warns once about an untrusted proxy. All its clients would share one address and one rate limit. */
export function warnOfProxy(log: Logger, isTold: boolean): RequestHandler {
  let isSaid = false;
  return (req, _res, next) => {
    const found = isSaid ? undefined : findProxyHeader(req.headers, isTold);
    if (found) {
      isSaid = true;
      log.warn({ header: found.header }, found.words);
    }
    next();
  };
}
