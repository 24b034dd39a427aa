import { type Request, type Response, Router } from "express";
import { assertContentType, hasBody, readJson } from "./body.ts";
import { anonymous, type Caller, type Scope } from "./caller.ts";
import { Failure } from "./failure.ts";
import { jsonType, jsonTypes, negotiate } from "./negotiation.ts";

/** One method of a resource. */
export interface Method {
  /** How the body is taken: parsed JSON in `req.body` (the default), or left to the handler as a stream. */
  consumes?: "json" | "stream";
  /** Largest JSON body in bytes; 10 MiB when not said. */
  mostBytes?: number;
  /** Types offered, first is the default; the chosen one is in `res.locals.produces`. Empty: the handler decides. */
  produces?: readonly string[];
  /** Scope that a bearer needs; `read` for GET and HEAD (but what replicas call), else `write`. `none`: any. */
  scope?: Scope | "none";
  /** Works without looking at credentials at all. */
  isOpen?: boolean;
  handle(req: Request, res: Response): Promise<void> | void;
}

type Verb = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
export type Methods = Partial<Record<Verb, Method | Method["handle"]>>;

/** Establishes who calls. @throws Failure 401 for credentials that are sent and not valid; 400 for a missing CSRF. */
export type Authenticate = (req: Request) => Promise<Caller>;

/** Carries out a call with an `Idempotency-Key` once (hosts-and-sync 6). */
export type RunOnce = (req: Request, res: Response, caller: Caller, work: () => Promise<void>) => Promise<void>;

/** Every router of ours: paths are told apart by case, as ids and file names are (search-and-conventions 10). */
export const newRouter = (): Router => Router({ caseSensitive: true });

/** What the host gives the routes, in `app.locals`. */
export interface RouteEnvironment {
  authenticate: Authenticate;
  runOnce: RunOnce;
}

/** The caller, once `resource` has let the call through. */
export const callerOf = (req: Request): Caller => (req.res?.locals.caller as Caller | undefined) ?? anonymous;

/** A named part of the path, decoded. */
export function pathPart(req: Request, name: string): string {
  const value = req.params[name];
  if (value === undefined) throw new Error(`the route has no part called ${name}`);
  return Array.isArray(value) ? value.join("/") : value;
}

function assertScope(caller: Caller, scope: Scope | "none"): void {
  if (scope === "none" || caller.via !== "token") return;
  const isHeld = caller.scopes.has(scope) || (scope === "read" && caller.scopes.has("write"));
  if (isHeld) return;
  const description = `The token lacks the scope '${scope}'.`;
  throw new Failure("forbidden", description, {
    headers: { "WWW-Authenticate": `Bearer realm="api", error="insufficient_scope", scope="${scope}"` },
    extra: { error: "insufficient_scope", error_description: description },
  });
}

function allowed(methods: Methods): string {
  const verbs = Object.keys(methods);
  if (methods.GET && !methods.HEAD) verbs.push("HEAD");
  return [...verbs, "OPTIONS"].join(", ");
}

function methodFor(methods: Methods, verb: string): Method | undefined {
  const found = methods[verb as Verb] ?? (verb === "HEAD" ? methods.GET : undefined);
  return typeof found === "function" ? { handle: found } : found;
}

const isRead = (verb: string): boolean => verb === "GET" || verb === "HEAD";

/** What replicas call needs both rights (hosts-and-sync 6); the archives of drafts there are ordinary reads. */
const ofReplicas = /^\/api\/sync\/(?!drafts\/)/;
const usualScope = (req: Request): Scope =>
  isRead(req.method) && !ofReplicas.test(`${req.baseUrl}${req.path}`) ? "read" : "write";

async function dispatch(methods: Methods, req: Request, res: Response): Promise<void> {
  if (req.method === "OPTIONS") {
    res.setHeader("Allow", allowed(methods));
    res.status(204).end();
    return;
  }
  const method = methodFor(methods, req.method);
  if (!method) {
    throw new Failure("method_not_allowed", "The method is not allowed for the requested URL.", {
      headers: { Allow: allowed(methods) },
    });
  }
  const { authenticate, runOnce } = req.app.locals.routes as RouteEnvironment;
  const caller = method.isOpen ? anonymous : await authenticate(req);
  res.locals.caller = caller;
  assertScope(caller, method.scope ?? usualScope(req));
  if (caller.userId !== null) res.setHeader("Cache-Control", "private, no-cache");
  await prepareBody(method, req, res);
  const handle = async (): Promise<void> => {
    // Why a replica could not fetch what the path names.
    if (res.locals.unreached instanceof Failure) throw res.locals.unreached;
    await method.handle(req, res);
  };
  if (isRead(req.method)) await handle();
  else await runOnce(req, res, caller, handle);
}

async function prepareBody(method: Method, req: Request, res: Response): Promise<void> {
  const isJson = method.consumes !== "stream" && !isRead(req.method) && hasBody(req);
  if (isJson) assertContentType(req, [jsonType]);
  const offered = method.produces ?? jsonTypes;
  if (offered.length > 0) res.locals.produces = negotiate(req.headers.accept, offered);
  if (isJson) req.body = await readJson(req, method.mostBytes);
}

/**
 * Offers a path with the methods named. Everything that all routes share happens here and in this order: method (405,
 * OPTIONS), credentials (401), scope, body type and syntax (415, 400), `Accept` (406), `Idempotency-Key`.
 */
export function resource(router: Router, path: string, methods: Methods): void {
  const handle = (req: Request, res: Response) => dispatch(methods, req, res);
  router.all(path, Object.assign(handle, { verbs: Object.keys(methods) }));
}

/** As `resource`, for paths whose meaning depends on more than their pattern: `choose` gives the methods of one call. */
export function resourceBy(router: Router, path: string, choose: (req: Request) => Promise<Methods>): void {
  router.all(path, async (req, res) => dispatch(await choose(req), req, res));
}
