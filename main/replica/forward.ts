import type { IncomingMessage } from "node:http";
import { pipeline } from "node:stream/promises";
import type { Request, Response } from "express";
import { isAccountPage } from "../../shared/accounts/account-link.service.ts";
import type { Db } from "../../shared/database/open.ts";
import { answerText } from "../../shared/kernel/answer.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import type { RouteEnvironment } from "../../shared/kernel/resource.ts";
import { type RouteStep, routeOf } from "../../shared/kernel/route-facts.ts";
import { listUrl } from "../../shared/kernel/search-envelope.ts";
import type { SyncEngine } from "../sync/engine.ts";
import { recall } from "../sync/person.repository.ts";
import {
  AnswerTooLarge,
  describeNetworkError,
  parseBody,
  readAnswer,
  refusalOf,
  Unreachable,
} from "../sync/transport.ts";
import type { ShownDraft } from "../sync/upstream.ts";
import { forwardedHeaders, forwardedLocation } from "./forwarded-answer.ts";

/** Why a call cannot be forwarded to the server now, and what the user can do about it. */
function reasonOf({ connection, pause }: SyncEngine): string {
  if (!connection.account) return "this library is not connected to one. Connect it first.";
  if (pause.isOn) return "synchronisation is paused. Resume it first.";
  if (connection.needsSignIn) return "it no longer accepts your access token. Sign in again.";
  if (connection.isOutdated) return "its version does not work with this one.";
  const slowedUntilMs = connection.upstream?.slowedUntilMs?.();
  if (slowedUntilMs !== undefined)
    return `it allows no calls before ${new Date(slowedUntilMs).toTimeString().slice(0, 5)}.`;
  return "it cannot be reached at the moment.";
}

/** 503 for a call that only the server can answer (hosts-and-sync 3). */
export const serverNeeded = (engine: SyncEngine): Failure =>
  new Failure("unavailable", `The server is needed for this, and ${reasonOf(engine)}`);

/**
 * Converts an error of the connection (network, token or version) to a failure for the caller, and reports it to the
 * engine.
 * @throws the error itself if it is the server's answer to the call.
 */
export function connectionFailure(engine: SyncEngine, signal: AbortSignal, error: unknown): Failure {
  const isOfConnection =
    error instanceof Unreachable ||
    (error instanceof Failure && (error.kind === "unauthorized" || error.kind === "upgrade_required"));
  if (!isOfConnection) throw error;
  if (!signal.aborted) engine.onUnreachable(error);
  return serverNeeded(engine);
}

const pathOf = (req: Request): string => `${req.baseUrl}${req.path}`;

/** The first value counts if the parameter is repeated (search-and-conventions 2). */
const isServerScope = (req: Request): boolean => [req.query.scope].flat()[0] === "server";

/**
 * Calls that an InvenioRDM server must execute at once: it chooses the ids and tokens, and accepting a request publishes
 * (upstreams 3). By route, with the methods; undefined for all methods.
 */
const decidedByUpstream = new Map<string, readonly string[] | undefined>([
  ["/api/requests/:id/actions/:action", ["POST"]],
  ["/api/records/:id/draft/review", ["PUT", "DELETE"]],
  ["/api/records/:id/draft/actions/submit-review", ["POST"]],
  ...["links", "links/:link", "grants", "grants/:n", "users", "users/:subject", "groups", "groups/:subject"].map(
    (path): [string, undefined] => [`/api/records/:id/access/${path}`, undefined],
  ),
]);

function isDecidedByUpstream(engine: SyncEngine, req: Request): boolean {
  const { pattern } = routeOf(req);
  if (!engine.account?.upstream || !decidedByUpstream.has(pattern)) return false;
  return decidedByUpstream.get(pattern)?.includes(req.method) ?? true;
}

/** Whether only the server may answer. `scope` counts only in the common API: the app's own addresses use it too. */
function isForServer(req: Request): boolean {
  const { about, isByServer } = routeOf(req);
  const isRead = req.method === "GET" || req.method === "HEAD";
  return isByServer || (isRead && about !== "sync" && about !== "host" && isServerScope(req));
}

/** Time limit for an answer with text. Bytes of files may take as long as the client waits. */
const textTimeoutMs = 60_000;
/** Sends the call to the server. @throws Failure 503 if the server cannot be reached. */
async function callServer(
  engine: SyncEngine,
  req: Request,
  method: string,
  shown?: ShownDraft,
): Promise<IncomingMessage> {
  const isReached = await engine.reach();
  const { signal, upstream } = engine.connection;
  if (!upstream || !isReached) throw serverNeeded(engine);
  try {
    return await upstream.pass(req, method, shown);
  } catch (error) {
    throw connectionFailure(engine, signal, error);
  }
}

async function bytesOf(incoming: IncomingMessage, engine: SyncEngine, signal: AbortSignal): Promise<Buffer> {
  const timer = setTimeout(() => incoming.destroy(new Error("time-out")), textTimeoutMs);
  try {
    return await readAnswer(incoming);
  } catch (error) {
    throw connectionFailure(
      engine,
      signal,
      error instanceof AnswerTooLarge ? error : new Unreachable(describeNetworkError(error)),
    );
  } finally {
    clearTimeout(timer);
  }
}

/** The error in a 401: the server's refusal of the token, or an unreadable answer of a proxy in between. */
async function errorOf401({ headers }: IncomingMessage, bytes: Buffer): Promise<unknown> {
  try {
    return refusalOf({ status: 401, body: await parseBody(401, headers["content-type"], bytes) });
  } catch (error) {
    return error;
  }
}

/** Whether an answer may contain links, as exports of records do. Files have a `filename` and are never changed. */
const mayHaveLinks = ({ headers }: IncomingMessage): boolean =>
  headers["content-disposition"] === undefined &&
  /json|xml|bibtex|research-info|yaml|csv|^text\//.test((headers["content-type"] ?? "").toLowerCase());

/** More characters than the path of an account page has. */
const pagePathLength = 40;
/**
 * Replaces the server's address by this replica's. A longer port or host name is another address. Links to account
 * pages (`isAccountPage`) stay: an administrator gives them to another person, and only the server has these pages.
 */
const withOwnAddress = (text: string, server: string, own: string): string =>
  text.replaceAll(server, (found, at: number) => {
    const rest = text.slice(at + server.length, at + server.length + pagePathLength);
    return /^[\w.:-]/.test(rest) || isAccountPage(rest) ? found : own;
  });

/** Adds `scope=server` to the links of a list, so that its next pages come from the server too. */
function withScope(text: string, list: string): string {
  const scoped = (link: string): string => listUrl(list, [...new URL(link).searchParams, ["scope", "server"]]);
  return text.replace(/("(?:self|prev|next)": ?")([^"]+)(?=")/g, (whole, key, link) =>
    link.startsWith(`${list}?`) ? key + scoped(link) : whole,
  );
}

export interface Forwarding {
  db: Db;
  engine: SyncEngine;
  /** The base URL of this replica. */
  baseUrl(): string;
  /** Fetches an object from the server and stores it. */
  keep?(kind: string, id: string): Promise<void>;
}

/**
 * Sets the status and headers of a forwarded answer. A redirect is sent at once, because it has no body.
 * @throws Failure 503 for a redirect to another site.
 */
function startAnswer(
  req: Request,
  res: Response,
  incoming: IncomingMessage,
  origins: { server: string; own: string },
): "redirected" | "started" {
  const status = incoming.statusCode ?? 0;
  const { location } = incoming.headers;
  const isRedirect = status >= 300 && status < 400 && status !== 304;
  if (status < 200 || status > 599)
    throw new Failure("unavailable", "The server is needed for this, and its answer cannot be read.");
  const call = { isRead: req.method === "GET" || req.method === "HEAD", url: req.originalUrl };
  const target = isRedirect ? forwardedLocation(location ?? "", call, origins) : undefined;
  res.status(status);
  // `local-scope` has set it for an answer of this replica.
  res.removeHeader("Sync-Scope");
  const forwarded = { path: pathOf(req), isAvatar: routeOf(req).facts.isAvatar ?? false };
  for (const [name, value] of Object.entries(forwardedHeaders(forwarded, incoming.headers))) res.setHeader(name, value);
  if (target === undefined) return "started";
  incoming.destroy();
  res.redirect(status, target);
  return "redirected";
}

/** Forwards a call to the server and sends its answer, with links that lead to this replica. */
export async function forward(
  { db, engine, baseUrl, keep }: Forwarding,
  req: Request,
  res: Response,
  shown?: ShownDraft,
): Promise<void> {
  const { signal } = engine.connection;
  const { facts } = routeOf(req);
  const isHead = req.method === "HEAD";
  // Replacing the links changes the length of an answer, so HEAD needs the whole answer.
  const method = isHead && !facts.isBytes?.(req) ? "GET" : req.method;
  const incoming = await callServer(engine, req, method, shown);
  // A route with a password answers 401 for a wrong one, so there it says nothing about the token.
  if (incoming.statusCode === 401 && !facts.password) {
    throw connectionFailure(engine, signal, await errorOf401(incoming, await bytesOf(incoming, engine, signal)));
  }
  const isText = mayHaveLinks(incoming);
  const whole = isText && method === "HEAD" ? await callServer(engine, req, "GET") : incoming;
  const text = isText ? (await bytesOf(whole, engine, signal)).toString() : "";
  const server = (await recall(db, "base_url")) ?? engine.account?.server ?? "";
  // `no-store` alone means a secret: the answer is not stored for a repeated call either.
  if (incoming.headers["cache-control"] === "no-store") res.locals.isSecret = true;
  if (startAnswer(req, res, incoming, { server, own: baseUrl() }) === "redirected") return;
  if (!isText) {
    const length = incoming.headers["content-length"];
    if (length !== undefined) res.setHeader("Content-Length", length);
    if (isHead) {
      incoming.destroy();
      res.end();
      return;
    }
    // When either connection is lost, the other one is closed too.
    await pipeline(incoming, res).catch(() => undefined);
    return;
  }
  // The feed brings a group only to those who opened it. A group that cannot be fetched now exists all the same.
  if (keep && res.statusCode === 201 && routeOf(req).pattern === "/api/groups")
    await keep("group", JSON.parse(text).id).catch(() => undefined);
  const answered = withOwnAddress(text, server, baseUrl());
  const list = `${baseUrl()}${pathOf(req).replace(/\/$/, "")}`;
  const body = isServerScope(req) ? withScope(answered, list) : answered;
  await answerText(req, res, res.statusCode, String(res.getHeader("Content-Type")), body);
}

/** Forwards a change, and fetches its effect from the feed before the answer is sent. */
async function forwardChange(options: Forwarding, req: Request, res: Response): Promise<void> {
  const { engine } = options;
  const shown = await engine.connection.upstream?.shownFor?.(req, req.method);
  if (!(await engine.reach())) throw serverNeeded(engine);
  const { signal } = engine.connection;
  await engine.flush().catch((error: unknown) => {
    throw connectionFailure(engine, signal, error);
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
  await forward(options, req, res, shown);
  await refreshed;
}

/**
 * Forwards a read or a change. A change is sent after all operations that it may depend on, and executed once for its
 * `Idempotency-Key`.
 * @throws Failure 503 if the server cannot be reached.
 */
export async function forwardAny(options: Forwarding, req: Request, res: Response): Promise<true> {
  const { authenticate, runOnce } = req.app.locals.routes as RouteEnvironment;
  const isRead = req.method === "GET" || req.method === "HEAD";
  if (isRead) await forward(options, req, res);
  else await runOnce(req, res, await authenticate(req), () => forwardChange(options, req, res));
  return true;
}

/** Forwards calls that only the server may decide, and those with `?scope=server`. */
export const forwarding =
  (options: Forwarding): RouteStep =>
  (req, res) =>
    (isForServer(req) || isDecidedByUpstream(options.engine, req)) && forwardAny(options, req, res);
