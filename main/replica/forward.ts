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
import { passedHeadersOf, passedLocation } from "./passed-on.ts";

/** Why a call cannot be passed to the server now, and what the user can do about it. */
function reasonOf({ connection, pause }: SyncEngine): string {
  if (!connection.account) return "this library is not connected to one. Connect it first.";
  if (pause.isOn) return "synchronisation is paused. Resume it first.";
  if (connection.needsSignIn) return "it no longer accepts your access token. Sign in again.";
  if (connection.isOutdated) return "its version does not work with this one.";
  return "it cannot be reached at the moment.";
}

/** 503 for a call that only the server can answer (hosts-and-sync 3). */
export const serverNeeded = (engine: SyncEngine): Failure =>
  new Failure("unavailable", `The server is needed for this, and ${reasonOf(engine)}`);

/**
 * The failure of a call that could not reach the server: connection, token or version. The status gives the reason.
 * @throws the error itself if it is the server's answer.
 */
export function outOfReach(engine: SyncEngine, signal: AbortSignal, error: unknown): Failure {
  const isOfLine =
    error instanceof Unreachable ||
    (error instanceof Failure && (error.kind === "unauthorized" || error.kind === "upgrade_required"));
  if (!isOfLine) throw error;
  if (!signal.aborted) engine.onUnreachable(error);
  return serverNeeded(engine);
}

const pathOf = (req: Request): string => `${req.baseUrl}${req.path}`;

/** The first value counts if the parameter is repeated (search-and-conventions 2). */
const isServerScope = (req: Request): boolean => [req.query.scope].flat()[0] === "server";

/**
 * What an InvenioRDM decides itself and at once: it gives the ids and tokens, and accepting a request publishes
 * (upstreams 3). Undefined methods: all.
 */
const decidedThere = new Map<string, readonly string[] | undefined>([
  ["/api/requests/:id/actions/:action", ["POST"]],
  ["/api/records/:id/draft/review", ["PUT", "DELETE"]],
  ["/api/records/:id/draft/actions/submit-review", ["POST"]],
  ...["links", "links/:link", "grants", "grants/:n", "users", "users/:subject", "groups", "groups/:subject"].map(
    (path): [string, undefined] => [`/api/records/:id/access/${path}`, undefined],
  ),
]);

function isDecidedThere(engine: SyncEngine, req: Request): boolean {
  const { pattern } = routeOf(req);
  if (!engine.account?.upstream || !decidedThere.has(pattern)) return false;
  return decidedThere.get(pattern)?.includes(req.method) ?? true;
}

/** Only for the common API: the app's pages have `scope` in their addresses too, and `/api/sync` is this host's own. */
function asksServer(req: Request): boolean {
  const { about, isByServer } = routeOf(req);
  const isRead = req.method === "GET" || req.method === "HEAD";
  return isByServer || (isRead && about !== "sync" && about !== "host" && isServerScope(req));
}

/** Time limit for a text; bytes of files may take as long as the client waits. */
const mostTextMs = 60_000;
/** Passes the call on. @throws Failure 503 if the server cannot be reached. */
async function openLine(engine: SyncEngine, req: Request, method: string): Promise<IncomingMessage> {
  const isReached = await engine.reach();
  const { signal, upstream } = engine.connection;
  if (!upstream || !isReached) throw serverNeeded(engine);
  try {
    return await upstream.pass(req, method);
  } catch (error) {
    throw outOfReach(engine, signal, error);
  }
}

async function bytesOf(incoming: IncomingMessage, engine: SyncEngine, signal: AbortSignal): Promise<Buffer> {
  const late = setTimeout(() => incoming.destroy(new Error("time-out")), mostTextMs);
  try {
    return await readAnswer(incoming);
  } catch (error) {
    throw outOfReach(
      engine,
      signal,
      error instanceof AnswerTooLarge ? error : new Unreachable(describeNetworkError(error)),
    );
  } finally {
    clearTimeout(late);
  }
}

/** Whether the answer is the server's own refusal of the token; another body comes from something between. */
async function tokenRefused({ headers }: IncomingMessage, bytes: Buffer): Promise<unknown> {
  try {
    return refusalOf({ status: 401, body: await parseBody(401, headers["content-type"], bytes) });
  } catch (error) {
    return error;
  }
}

/** Whether an answer may contain links, as exports of records do. Files have a `filename` and pass unchanged. */
const mayHaveLinks = ({ headers }: IncomingMessage): boolean =>
  headers["content-disposition"] === undefined &&
  /json|xml|bibtex|research-info|yaml|csv|^text\//.test((headers["content-type"] ?? "").toLowerCase());

/** Longer than the path of each page that only the server has. */
const pagePathLength = 40;
/**
 * Replaces the server's address by this replica's. A longer port or host name is another address. Links that an
 * administrator hands over stay the server's: another person opens them, on a page that only the server has.
 */
const withOwnAddress = (text: string, server: string, own: string): string =>
  text.replaceAll(server, (found, at: number) => {
    const rest = text.slice(at + server.length, at + server.length + pagePathLength);
    return /^[\w.:-]/.test(rest) || isAccountPage(rest) ? found : own;
  });

/** Adds `scope` to the links of a list from the server, so that its next pages come from there too. */
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

/**
 * Sets status and headers of a forwarded answer; sends a redirect whole.
 * @throws Failure 503 for a redirect to another site.
 */
function pass(
  req: Request,
  res: Response,
  incoming: IncomingMessage,
  origins: { server: string; own: string },
): "redirected" | "passed" {
  const status = incoming.statusCode ?? 0;
  const { location } = incoming.headers;
  const isRedirect = status >= 300 && status < 400 && status !== 304;
  if (status < 200 || status > 599)
    throw new Failure("unavailable", "The server is needed for this, and its answer cannot be read.");
  const call = { isRead: req.method === "GET" || req.method === "HEAD", url: req.originalUrl };
  const place = isRedirect ? passedLocation(location ?? "", call, origins) : undefined;
  res.status(status);
  // Was set for an answer by this replica.
  res.removeHeader("Sync-Scope");
  const passed = { path: pathOf(req), isAvatar: routeOf(req).facts.isAvatar ?? false };
  for (const [name, value] of Object.entries(passedHeadersOf(passed, incoming.headers))) res.setHeader(name, value);
  if (place === undefined) return "passed";
  incoming.destroy();
  res.redirect(status, place);
  return "redirected";
}

/** Forwards a call to the server; links in the answer become this replica's. */
export async function forward({ db, engine, baseUrl }: Forwarding, req: Request, res: Response): Promise<void> {
  const { signal } = engine.connection;
  const { facts } = routeOf(req);
  const isHead = req.method === "HEAD";
  // The length of an answer changes with its links, so HEAD needs the whole answer.
  const method = isHead && !facts.isBytes?.(req) ? "GET" : req.method;
  const incoming = await openLine(engine, req, method);
  // For a password, 401 is the proper answer.
  if (incoming.statusCode === 401 && !facts.password) {
    throw outOfReach(engine, signal, await tokenRefused(incoming, await bytesOf(incoming, engine, signal)));
  }
  const isText = mayHaveLinks(incoming);
  const whole = isText && method === "HEAD" ? await openLine(engine, req, "GET") : incoming;
  const text = isText ? (await bytesOf(whole, engine, signal)).toString() : "";
  const server = (await recall(db, "base_url")) ?? engine.account?.server ?? "";
  // An answer with a secret is not stored, not even for a repeated call. `private` alone only keeps caches away.
  if (incoming.headers["cache-control"] === "no-store") res.locals.isSecret = true;
  if (pass(req, res, incoming, { server, own: baseUrl() }) === "redirected") return;
  if (!isText) {
    const length = incoming.headers["content-length"];
    if (length !== undefined) res.setHeader("Content-Length", length);
    if (isHead) {
      incoming.destroy();
      res.end();
      return;
    }
    // A cut on either side ends the other side too.
    await pipeline(incoming, res).catch(() => undefined);
    return;
  }
  const answered = withOwnAddress(text, server, baseUrl());
  const list = `${baseUrl()}${pathOf(req).replace(/\/$/, "")}`;
  const body = isServerScope(req) ? withScope(answered, list) : answered;
  await answerText(req, res, res.statusCode, String(res.getHeader("Content-Type")), body);
}

/** Forwards a change, and fetches its effect before it answers. */
async function change(options: Forwarding, req: Request, res: Response): Promise<void> {
  const { engine } = options;
  if (!(await engine.reach())) throw serverNeeded(engine);
  const { signal } = engine.connection;
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
 * As `forward`. A change is sent after all operations it may depend on, is executed once under its `Idempotency-Key`,
 * and its effect is fetched before the answer.
 * @throws Failure 503 without the server.
 */
export async function forwardWhole(options: Forwarding, req: Request, res: Response): Promise<true> {
  const { authenticate, runOnce } = req.app.locals.routes as RouteEnvironment;
  const isRead = req.method === "GET" || req.method === "HEAD";
  if (isRead) await forward(options, req, res);
  else await runOnce(req, res, await authenticate(req), () => change(options, req, res));
  return true;
}

/** Forwards calls that only the server may decide, and those with `?scope=server`. */
export const forwarding =
  (options: Forwarding): RouteStep =>
  (req, res) =>
    (asksServer(req) || isDecidedThere(options.engine, req)) && forwardWhole(options, req, res);
