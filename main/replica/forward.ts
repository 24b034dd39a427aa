import { type IncomingMessage, request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { pipeline } from "node:stream/promises";
import type { Request, RequestHandler, Response } from "express";
import type { Db } from "../../shared/database/open.ts";
import { answerText } from "../../shared/kernel/answer.ts";
import { hasBody, streamBody } from "../../shared/kernel/body.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import type { RouteEnvironment } from "../../shared/kernel/resource.ts";
import { listUrl } from "../../shared/kernel/search-envelope.ts";
import type { SyncEngine } from "../sync/engine.ts";
import { recall } from "../sync/person.repository.ts";
import { inWords, parseBody, refusalOf, Unreachable } from "../sync/transport.ts";

interface Rule {
  methods: string[];
  path: RegExp;
}

/** Calls that only the server may decide and that are never queued (hosts-and-sync 3). */
const serverOnly: Rule[] = [
  { methods: ["POST", "DELETE"], path: /^\/api\/records\/[^/]+\/draft\/pids\/doi\/?$/ },
  { methods: ["POST"], path: /^\/api\/groups\/?$/ },
  { methods: ["PUT", "DELETE"], path: /^\/api\/groups\/[^/]+\/?$/ },
  { methods: ["GET", "POST", "PUT", "DELETE"], path: /^\/api\/users\/[^/]+\/groups\/?$/ },
  { methods: ["GET", "POST"], path: /^\/api\/tokens\/?$/ },
  { methods: ["GET", "DELETE"], path: /^\/api\/tokens\/[^/]+\/?$/ },
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

/**
 * What is said when a call beside the loops failed because of the line, the token or the version: why is in the status.
 * @throws the error itself when it is the server's answer.
 */
export function outOfReach(engine: SyncEngine, signal: AbortSignal, error: unknown): Failure {
  const isOfLine =
    error instanceof Unreachable ||
    (error instanceof Failure && (error.kind === "unauthorized" || error.kind === "upgrade_required"));
  if (!isOfLine) throw error;
  if (!signal.aborted) engine.lost(error);
  return serverNeeded();
}

/** There 401 is the answer to a password. */
const isSignIn = (req: Request): boolean => /^\/api\/(login|change-password)\/?$/.test(req.path);

/** Given twice, the first counts, as everywhere (search-and-conventions 2). */
const isServerScope = (req: Request): boolean => [req.query.scope].flat()[0] === "server";

const asksServer = (req: Request): boolean =>
  serverOnly.some(
    ({ methods, path }) => methods.includes(req.method === "HEAD" ? "GET" : req.method) && path.test(req.path),
  ) ||
  // The app's own addresses may say it too: `/?q=x&scope=server` is a page.
  ((req.method === "GET" || req.method === "HEAD") && req.path.startsWith("/api/") && isServerScope(req));

const hopHeaders = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "content-length",
  "host",
  "authorization",
  // The caller's, or the one that was made for her here; the server is told it.
  "x-request-id",
]);
/** All that the server goes by, resumable uploads included (records 6.4.1). */
const sentHeaders = [
  "accept",
  "accept-language",
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

/** Files as they are kept, however large; only a refusal of them has links. */
const bytesPath = /\/(?:content|files-archive)\/?$/;

function headersFor(req: Request, token: string): Record<string, string> {
  const headers: Record<string, string> = { authorization: `Bearer ${token}` };
  for (const name of sentHeaders) {
    const value = req.headers[name];
    if (typeof value === "string") headers[name] = value;
  }
  const id = req.res?.getHeader("X-Request-ID");
  return id === undefined ? headers : { ...headers, "x-request-id": String(id) };
}

function openLine(engine: SyncEngine, req: Request, method: string): Promise<IncomingMessage> {
  const { connection } = engine;
  if (!connection || !engine.isOnline()) throw serverNeeded();
  const url = new URL(connection.server);
  // As it came: a parser of addresses would take the names `.` and `..` for steps (search-and-conventions 11).
  const path =
    url.pathname.replace(/\/$/, "") + req.originalUrl.replace(/([?&])scope=server(&|$)/, "$1").replace(/[?&]$/, "");
  const headers = headersFor(req, connection.token);
  const start = url.protocol === "https:" ? secureRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const { signal } = engine.line;
    const upstream = start(url, { path, method, headers, timeout: 30_000, signal }, resolve);
    upstream.once("timeout", () => upstream.destroy(new Error("time-out")));
    upstream.once("error", (error) => reject(outOfReach(engine, signal, new Unreachable(inWords(error)))));
    // An early refusal ends the sending; the answer, not the broken pipe, says why.
    if (hasBody(req)) pipeline(streamBody(req), upstream).catch(() => undefined);
    else upstream.end();
  });
}

async function textOf(incoming: IncomingMessage, engine: SyncEngine, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of incoming) chunks.push(chunk);
  } catch (error) {
    throw outOfReach(engine, signal, new Unreachable(inWords(error)));
  }
  return Buffer.concat(chunks).toString();
}

/** The server's word that the token is no longer good; a body that is not ours is somebody else's. */
function tokenRefused({ headers }: IncomingMessage, text: string): unknown {
  try {
    return refusalOf({ status: 401, body: parseBody(401, headers["content-type"], text) });
  } catch (error) {
    return error;
  }
}

/** A list that the server was asked for goes on at the server: `scope` stands in its links too. */
function withScope(text: string, list: string): string {
  const scoped = (link: string): string => listUrl(list, [...new URL(link).searchParams, ["scope", "server"]]);
  return text.replace(/("(?:self|prev|next)": ?")([^"]+)(?=")/g, (whole, key, link) =>
    link.startsWith(`${list}?`) ? key + scoped(link) : whole,
  );
}

export interface Forwarding {
  db: Db;
  engine: SyncEngine;
  /** Of this replica. */
  baseUrl(): string;
}

/** Passes a call to the server; links in its JSON answer become this replica's. */
export async function forward({ db, engine, baseUrl }: Forwarding, req: Request, res: Response): Promise<void> {
  const { signal } = engine.line;
  const isHead = req.method === "HEAD";
  // How long an answer with links is here, with those of this replica, only the whole answer tells.
  const method = isHead && !bytesPath.test(req.path) ? "GET" : req.method;
  const incoming = await openLine(engine, req, method);
  if (incoming.statusCode === 401 && !isSignIn(req)) {
    throw outOfReach(engine, signal, tokenRefused(incoming, await textOf(incoming, engine, signal)));
  }
  const isJson = String(incoming.headers["content-type"] ?? "").includes("json");
  const whole = isJson && method === "HEAD" ? await openLine(engine, req, "GET") : incoming;
  const text = isJson ? await textOf(whole, engine, signal) : "";
  const server = (await recall(db, "base_url")) ?? engine.connection?.server ?? "";
  // What shows a secret is kept nowhere, also not for a repeated call; what is only not for caches is `private` too.
  if (incoming.headers["cache-control"] === "no-store") res.locals.isSecret = true;
  res.status(incoming.statusCode ?? 502);
  // What was said of an answer given here.
  res.removeHeader("Sync-Scope");
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (!hopHeaders.has(name) && value !== undefined && name !== "set-cookie") res.setHeader(name, value);
  }
  const { location } = incoming.headers;
  if (location !== undefined) {
    incoming.resume();
    res.redirect(res.statusCode, location.replace(server, baseUrl()));
    return;
  }
  if (!isJson) {
    const length = incoming.headers["content-length"];
    if (length !== undefined) res.setHeader("Content-Length", length);
    if (isHead) {
      incoming.destroy();
      res.end();
      return;
    }
    // Cut there is cut here, and who goes away is not sent the rest.
    await pipeline(incoming, res).catch(() => undefined);
    return;
  }
  const answered = text.replaceAll(server, baseUrl());
  const list = `${baseUrl()}${req.path.replace(/\/$/, "")}`;
  const body = isServerScope(req) ? withScope(answered, list) : answered;
  await answerText(req, res, res.statusCode, String(incoming.headers["content-type"]), body);
}

/** Changes this replica knows of before they are answered. */
async function change(options: Forwarding, req: Request, res: Response): Promise<void> {
  const { engine } = options;
  if (!engine.isOnline()) throw serverNeeded();
  const { signal } = engine.line;
  await engine.flush().catch((error: unknown) => {
    throw outOfReach(engine, signal, error);
  });
  const refreshed = new Promise<void>((resolve) => {
    const end = res.end.bind(res);
    res.end = ((...args: Parameters<typeof end>) => {
      res.end = end;
      const done = () => {
        end(...args);
        resolve();
      };
      engine.refresh().then(done, done);
      return res;
    }) as typeof res.end;
  });
  await forward(options, req, res);
  await refreshed;
}

/**
 * As `forward`; a change goes after everything that it may depend on, is carried out once under its `Idempotency-Key`,
 * and its effect is fetched before it is answered.
 * @throws Failure 503 without the server.
 */
export async function forwardWhole(options: Forwarding, req: Request, res: Response): Promise<void> {
  if (req.method === "GET" || req.method === "HEAD") return forward(options, req, res);
  const { authenticate, runOnce } = req.app.locals.routes as RouteEnvironment;
  await runOnce(req, res, await authenticate(req), () => change(options, req, res));
}

/** Before the routes: what only the server may decide goes there. */
export function forwarding(options: Forwarding): RequestHandler {
  return async (req, res, next) => (asksServer(req) ? forwardWhole(options, req, res) : next());
}
