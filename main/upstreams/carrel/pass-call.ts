import { type IncomingMessage, request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { pipeline } from "node:stream/promises";
import type { Request } from "express";
import { hasBody, streamBody } from "../../../shared/kernel/body.ts";
import { describeNetworkError, Unreachable } from "../../sync/transport.ts";
import type { Account } from "../../sync/upstream.ts";
import { wireHeaders } from "./wire-headers.ts";

/** The request headers that the server evaluates, those of resumable uploads included (records 6.4.1). */
const sentHeaders = [
  "accept",
  "accept-language",
  "content-encoding",
  "content-type",
  "content-length",
  "if-match",
  "if-none-match",
  "if-range",
  "idempotency-key",
  "prefer",
  "range",
  "repr-digest",
  "upload-complete",
  "upload-length",
  "upload-offset",
];

/** Time limit for the server's answer after it has received the whole call. */
const maxThinkingMs = 60_000;

function headersFor(req: Request, token: string): Record<string, string> {
  const headers: Record<string, string> = { authorization: `Bearer ${token}`, ...wireHeaders };
  for (const name of sentHeaders) {
    const value = req.headers[name];
    if (typeof value === "string") headers[name] = value;
  }
  const id = req.res?.getHeader("X-Request-ID");
  return id === undefined ? headers : { ...headers, "x-request-id": String(id) };
}

/** Sends a call of a page to the server. @throws Unreachable */
export function passCall(
  account: Account,
  signal: AbortSignal,
  req: Request,
  method: string,
): Promise<IncomingMessage> {
  const url = new URL(account.server);
  // Unparsed: a URL parser would resolve files named `.` and `..` as path steps (search-and-conventions 11).
  const path =
    url.pathname.replace(/\/$/, "") + req.originalUrl.replace(/([?&])scope=server(&|$)/, "$1").replace(/[?&]$/, "");
  const headers = headersFor(req, account.token);
  const start = url.protocol === "https:" ? secureRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const upstream = start(url, { path, method, headers, timeout: 30_000, signal }, (incoming) => {
      // After the answer, Node does not read the rest of the body, so the upload ends here.
      incoming.once("end", () => upstream.writableFinished || upstream.destroy());
      resolve(incoming);
    });
    upstream.once("timeout", () => upstream.destroy(new Error("time-out")));
    upstream.once("finish", () => {
      const late = setTimeout(() => upstream.destroy(new Error("time-out")), maxThinkingMs);
      for (const end of ["response", "close"] as const) upstream.once(end, () => clearTimeout(late));
    });
    upstream.once("error", (error) => reject(new Unreachable(describeNetworkError(error))));
    // After an early refusal the answer gives the reason, not the broken pipe.
    if (hasBody(req)) pipeline(streamBody(req), upstream).catch(() => undefined);
    else upstream.end();
  });
}
