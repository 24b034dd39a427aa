import type { RequestHandler } from "express";
import type { Logger } from "pino";

const adviceToTrust = "calls come through a proxy; set --trust-proxy so that sign-in limits apply to each client";
const adviceOnForwarded = "the proxy sends Forwarded, which is not read: make it send X-Forwarded-For as well";

/** Recognises a proxy that the server does not trust, by its header. Returns the header and advice. */
function findProxyHeader(
  headers: NodeJS.Dict<string | string[]>,
  isProxyTrusted: boolean,
): { header: string; words: string } | undefined {
  const names = isProxyTrusted ? ["forwarded"] : ["x-forwarded-for", "forwarded", "x-real-ip"];
  if (isProxyTrusted && headers["x-forwarded-for"] !== undefined) return undefined;
  const header = names.find((name) => headers[name] !== undefined);
  return header === undefined ? undefined : { header, words: isProxyTrusted ? adviceOnForwarded : adviceToTrust };
}

/** Warns once about an untrusted proxy. All its clients would share one address and one rate limit. */
export function warnOfProxy(log: Logger, isProxyTrusted: boolean): RequestHandler {
  let hasWarned = false;
  return (req, _res, next) => {
    const found = hasWarned ? undefined : findProxyHeader(req.headers, isProxyTrusted);
    if (found) {
      hasWarned = true;
      log.warn({ header: found.header }, found.words);
    }
    next();
  };
}
