import type { RequestHandler } from "express";
import { isHttps } from "../shared/kernel/client-address.ts";
import type { Host } from "../shared/kernel/host.ts";

/** One year. Browsers that used https once never try plain http again, which an attacker could answer. */
const policy = "max-age=31536000";

export const strictTransport =
  (host: Pick<Host, "baseUrl">): RequestHandler =>
  (req, res, next) => {
    if (isHttps(host, req)) res.setHeader("Strict-Transport-Security", policy);
    next();
  };
