import { type IncomingMessage, request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import type { Request, RequestHandler, Response } from "express";
import { Failure } from "../../shared/kernel/failure.ts";
import type { SyncEngine } from "../sync/engine.ts";

interface Rule {
  methods: string[];
  path: RegExp;
}

/** Calls that only the server may decide and that are never queued (hosts-and-sync 3). */
const serverOnly: Rule[] = [
  { methods: ["POST", "DELETE"], path: /^\/api\/records\/[^/]+\/draft\/pids\/[^/]+\/?$/ },
  { methods: ["POST", "PUT", "DELETE"], path: /^\/api\/groups(\/|$)/ },
  { methods: ["POST", "PUT", "DELETE"], path: /^\/api\/users(\/|$)/ },
  { methods: ["GET"], path: /^\/api\/users\/[^/]+\/groups\/?$/ },
  { methods: ["GET", "POST", "DELETE"], path: /^\/api\/tokens(\/|$)/ },
  { methods: ["POST"], path: /^\/api\/(login|logout|change-password)\/?$/ },
  { methods: ["PUT", "DELETE"], path: /^\/api\/requests\/[^/]+\/?$/ },
  { methods: ["POST"], path: /^\/api\/requests\/[^/]+\/(lock|unlock)\/?$/ },
  { methods: ["PUT", "DELETE"], path: /^\/api\/requests\/[^/]+\/files\// },
  { methods: ["POST"], path: /^\/api\/records\/[^/]+\/requests\/?$/ },
  { methods: ["DELETE"], path: /^\/api\/records\/[^/]+\/delete\/?$/ },
  { methods: ["POST"], path: /^\/api\/records\/[^/]+\/(restore|request-deletion)\/?$/ },
  { methods: ["PUT"], path: /^\/api\/records\/[^/]+\/access\/?$/ },
];

export const serverNeeded = (): Failure =>
  new Failure("unavailable", "The server is needed for this, and it cannot be reached at the moment.");

const asksServer = (req: Request): boolean =>
  serverOnly.some(({ methods, path }) => methods.includes(req.method) && path.test(req.path)) ||
  // The app's own addresses may say it too: `/?q=x&scope=server` is a page.
  ((req.method === "GET" || req.method === "HEAD") && req.path.startsWith("/api/") && req.query.scope === "server");

const hopHeaders = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "content-length",
  "host",
  "authorization",
]);
const sentHeaders = [
  "accept",
  "accept-language",
  "content-type",
  "content-length",
  "if-match",
  "if-none-match",
  "idempotency-key",
  "prefer",
];

function openLine(engine: SyncEngine, req: Request): Promise<IncomingMessage> {
  const { connection } = engine;
  if (!connection || !engine.isOnline()) throw serverNeeded();
  const url = new URL(
    connection.server + req.originalUrl.replace(/([?&])scope=server(&|$)/, "$1").replace(/[?&]$/, ""),
  );
  const headers: Record<string, string> = { authorization: `Bearer ${connection.token}` };
  for (const name of sentHeaders) {
    const value = req.headers[name];
    if (typeof value === "string") headers[name] = value;
  }
  const start = url.protocol === "https:" ? secureRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const upstream = start(url, { method: req.method, headers, timeout: 30_000 }, resolve);
    upstream.once("timeout", () => upstream.destroy(new Error("time-out")));
    upstream.once("error", () => reject(serverNeeded()));
    req.pipe(upstream);
  });
}

async function collect(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Passes a call to the server; links in its JSON answer become this replica's. */
export async function forward(engine: SyncEngine, baseUrl: string, req: Request, res: Response): Promise<void> {
  const incoming = await openLine(engine, req);
  const server = engine.connection?.server ?? "";
  res.status(incoming.statusCode ?? 502);
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (!hopHeaders.has(name) && value !== undefined && name !== "set-cookie") res.setHeader(name, value);
  }
  if (!String(incoming.headers["content-type"] ?? "").includes("json")) {
    incoming.pipe(res);
    return;
  }
  const text = (await collect(incoming)).toString().replaceAll(server, baseUrl);
  res.setHeader("Content-Length", Buffer.byteLength(text));
  res.end(text);
}

/**
 * As `forward`: after everything that the call may depend on was sent, and with its effect fetched before it is answered.
 * @throws Failure 503 without the server.
 */
export async function forwardWhole(engine: SyncEngine, baseUrl: string, req: Request, res: Response): Promise<void> {
  if (!engine.isOnline()) throw serverNeeded();
  const isRead = req.method === "GET" || req.method === "HEAD";
  if (!isRead) await engine.flush();
  const refreshed = new Promise<void>((resolve) => {
    const end = res.end.bind(res);
    res.end = ((...args: Parameters<typeof end>) => {
      res.end = end;
      const done = () => {
        end(...args);
        resolve();
      };
      if (isRead) done();
      else engine.refresh().then(done, done);
      return res;
    }) as typeof res.end;
  });
  await forward(engine, baseUrl, req, res);
  await refreshed;
}

/** Before the routes: what only the server may decide goes there. */
export function forwarding(engine: SyncEngine, baseUrl: () => string): RequestHandler {
  return async (req, res, next) => (asksServer(req) ? forwardWhole(engine, baseUrl(), req, res) : next());
}
