import { type Request, type Response, Router } from "express";
import {
  assertCoding,
  assertContentType,
  type BodyLimits,
  formType,
  hasBody,
  jsonLimitBytes,
  readForm,
  readJson,
} from "./body.ts";
import type { BodyBudget } from "./body-budget.ts";
import type { Call } from "./call.ts";
import { anonymous, type Caller, type Scope } from "./caller.ts";
import { checkCallerAgain } from "./caller-check.ts";
import { Failure } from "./failure.ts";
import type { JsonLimits } from "./json-pieces.ts";
import { jsonType, jsonTypes, negotiate } from "./negotiation.ts";
import { assertOwnPage } from "./own-page.ts";
import {
  type About,
  isVerb,
  type RouteCall,
  type RouteFacts,
  type RouteStep,
  routeOf,
  type Verb,
} from "./route-facts.ts";

/** One method of a resource. */
export interface Method {
  /**
   * How the body is read: parsed as JSON into `req.body` (the default), as an HTML form into `URLSearchParams` there, by
   * the handler as a stream, or not at all.
   */
  consumes?: "json" | "form" | "stream" | "nothing";
  /** Largest JSON body in bytes; 10 MiB by default. */
  maxBytes?: number;
  /** Limits of the JSON in the body; `bodyJsonLimits` by default. */
  jsonLimits?: JsonLimits;
  /** The JSON body may be compressed (`bodyCoding`). */
  isCodingTaken?: boolean;
  /** Media types; the first is the default. The negotiated one is in `res.locals.produces`. Empty: the handler decides. */
  produces?: readonly string[];
  /** Scope that a token needs. Default: `read` for GET and HEAD outside `/api/sync`, else `write`. `none`: any. */
  scope?: Scope | "none";
  /** No credentials are needed, but a wrong token is still refused (search-and-conventions 10). */
  isOpen?: boolean;
  /** Credentials are ignored, because the call must be answered while the database is busy or broken. */
  ignoresCredentials?: boolean;
  /** Pages of all origins may read what is public, without credentials (interoperability 8, 37). */
  isForAllOrigins?: boolean;
  /** The kind of object, when it differs from the other methods of the path. */
  about?: About;
  handle(req: Request, res: Response): Promise<void> | void;
}

/** A method without a body: the body of a call and its `Content-Type` are ignored. */
export const withoutBody = (method: Method | Method["handle"]): Method => ({
  ...(typeof method === "function" ? { handle: method } : method),
  consumes: "nothing",
});

export type Methods = Partial<Record<Verb, Method | Method["handle"]>>;

/** Identifies the caller. @throws Failure 401 for invalid credentials; 400 for a missing CSRF header. */
export type Authenticate = (req: Request) => Promise<Caller>;

/** Executes a call with an `Idempotency-Key` once (hosts-and-sync 6). */
export type RunOnce = (
  req: Request,
  res: Response,
  caller: Caller,
  work: (call: Call) => Promise<void>,
) => Promise<void>;

/** A router with case-sensitive paths, since ids and file names are case-sensitive (search-and-conventions 10). */
export const newRouter = (): Router => Router({ caseSensitive: true });

/** Runs a call. */
export type Serve = (call: () => Promise<void>) => Promise<void>;

/** What the host gives the routes, in `app.locals`. */
export interface RouteEnvironment {
  authenticate: Authenticate;
  runOnce: RunOnce;
  /** The memory budget of all bodies in memory. */
  bodies: BodyBudget;
  /** Called when a change is refused for lack of permission, before the answer is sent. */
  onDenied(req: Request, caller: Caller, failure: Failure): Promise<void>;
  /** Run before authentication, once the method is known. A step that answers is the last one. */
  steps: readonly RouteStep[];
  /** Runs each call, so that a host can wait for its end, and begins none after it has closed. */
  serve?: Serve | undefined;
}

/** The caller, after authentication; anonymous before. */
export const callerOf = (req: Request): Call => (req.res?.locals.caller as Call | undefined) ?? anonymous;

/** A named parameter of the path, decoded. */
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
  const verbs: Verb[] = Object.keys(methods).filter(isVerb);
  if (methods.GET && !methods.HEAD) verbs.push("HEAD");
  return [...verbs, "OPTIONS"].join(", ");
}

function methodFor(methods: Methods, verb: string): Method | undefined {
  const found = isVerb(verb) ? (methods[verb] ?? (verb === "HEAD" ? methods.GET : undefined)) : undefined;
  return typeof found === "function" ? { handle: found } : found;
}

const isRead = (verb: string): boolean => verb === "GET" || verb === "HEAD";

/** The default scope. The sync API always needs `write` (hosts-and-sync 6). */
const defaultScope = (req: Request): Scope => (isRead(req.method) && routeOf(req).about !== "sync" ? "read" : "write");

/** A form belongs to a browser session. Tokens may not send one, because forms check no scopes. */
function assertNoToken({ via }: Caller): void {
  if (via === "token") throw new Failure("forbidden", "Forms are for browsers: a token cannot send them.");
}

const environmentOf = (req: Request): RouteEnvironment => req.app.locals.routes;

const serve = (req: Request, call: () => Promise<void>): Promise<void> => {
  const run = environmentOf(req).serve;
  return run ? run(call) : call();
};

/** Stores the facts of the call's route and runs the host's steps. @returns whether a step answered. */
async function enter(facts: RouteFacts, req: Request, res: Response, method?: Method): Promise<boolean> {
  const { about, server = [] } = facts;
  const { id = "" } = req.params;
  const call: RouteCall = {
    facts,
    ...(typeof about === "function" ? about(req) : { about: method?.about ?? about, id: String(id) }),
    pattern: req.baseUrl + String(req.route?.path ?? ""),
    isByServer: server.includes(req.method === "HEAD" ? "GET" : (req.method as Verb)),
  };
  res.locals.route = call;
  for (const step of environmentOf(req).steps) if (await step(req, res)) return true;
  return false;
}

/** Whether a call sends a token. Another scheme may be meant for a proxy before the server. */
export const hasToken = ({ headers }: Request): boolean => /^bearer\b/i.test(headers.authorization ?? "");

/** Allows a page to ask with conditions and ranges. Whether it may read the answer, the answer says. */
function allowReading({ headers }: Request, res: Response): void {
  const { origin, "access-control-request-method": asked } = headers;
  const isReading = origin !== undefined && (asked === "GET" || asked === "HEAD");
  if (!isReading || res.hasHeader("Access-Control-Allow-Origin")) return;
  res.setHeader("Access-Control-Allow-Origin", "*");
  res.setHeader("Access-Control-Allow-Methods", "GET, HEAD");
  const names = "Accept, Accept-Language, If-Modified-Since, If-None-Match, If-Range, Range";
  res.setHeader("Access-Control-Allow-Headers", names);
  res.setHeader("Access-Control-Max-Age", "600");
}

async function dispatch(methods: Methods, req: Request, res: Response, facts?: RouteFacts): Promise<void> {
  if (req.method === "OPTIONS") {
    res.setHeader("Allow", allowed(methods));
    if (methodFor(methods, "GET")?.isForAllOrigins) allowReading(req, res);
    res.status(204).end();
    return;
  }
  const method = methodFor(methods, req.method);
  if (!method) {
    throw new Failure("method_not_allowed", "The method is not allowed for the requested URL.", {
      headers: { Allow: allowed(methods) },
    });
  }
  if (facts && (await enter(facts, req, res, method))) return;
  if (facts?.isForm && !isRead(req.method)) assertOwnPage(req);
  const environment = environmentOf(req);
  const isAnonymous = method.ignoresCredentials || (method.isOpen && !hasToken(req));
  const caller = isAnonymous ? anonymous : await environment.authenticate(req);
  res.locals.caller = caller;
  if (isRead(req.method)) return answerCall(method, req, res, caller, environment);
  try {
    if (facts?.isForm) assertNoToken(caller);
    await answerCall(method, req, res, caller, environment);
  } catch (error) {
    if (error instanceof Failure && error.kind === "forbidden") await environment.onDenied(req, caller, error);
    throw error;
  }
}

/** What a person or an access link opens is stored in no shared cache, and what a link opens in none at all. */
function keepFromOthers(res: Response, { userId, linkTokens }: Caller): void {
  if (linkTokens.length > 0) {
    res.setHeader("Cache-Control", "private, no-store");
    res.setHeader("Referrer-Policy", "no-referrer");
    res.setHeader("X-Robots-Tag", "noindex");
  } else if (userId !== null) res.setHeader("Cache-Control", "private, no-cache");
}

async function answerCall(
  method: Method,
  req: Request,
  res: Response,
  caller: Caller,
  { runOnce, bodies }: RouteEnvironment,
): Promise<void> {
  assertScope(caller, method.scope ?? defaultScope(req));
  keepFromOthers(res, caller);
  const limits = { most: limitOf(method, caller), json: method.jsonLimits, holder: caller.userId, budget: bodies };
  await prepareBody(method, req, res, limits);
  const handle = async (call: Call): Promise<void> => {
    res.locals.caller = call;
    // The reason why a replica could not fetch the object.
    if (res.locals.unreached instanceof Failure) throw res.locals.unreached;
    await method.handle(req, res);
  };
  if (isRead(req.method)) await handle(callerOf(req));
  else await runOnce(req, res, callerOf(req), handle);
}

/** The limit for bodies that have only credentials or a few names. */
export const smallBodyBytes = 8 * 1024;

/** Anonymous callers are not trusted with more. Guests with an access link may edit a draft (records 7.2). */
const anonymousLimitBytes = 16 * 1024;
const guestLimitBytes = 1024 * 1024;

function limitOf(method: Method, { userId, via, linkTokens }: Caller): number {
  const most = method.maxBytes ?? jsonLimitBytes;
  if (userId !== null || via !== "anonymous") return most;
  return Math.min(most, linkTokens.length > 0 ? guestLimitBytes : anonymousLimitBytes);
}

async function prepareBody(method: Method, req: Request, res: Response, limits: BodyLimits): Promise<void> {
  const consumes = method.consumes ?? "json";
  const isTaken = consumes !== "nothing" && !isRead(req.method) && hasBody(req);
  const isParsed = isTaken && consumes !== "stream";
  if (isParsed) assertContentType(req, [consumes === "form" ? formType : jsonType]);
  if (isTaken) assertCoding(req, method.isCodingTaken === true);
  const offered = method.produces ?? jsonTypes;
  if (offered.length > 0) res.locals.produces = negotiate(req.headers.accept, offered);
  if (!isParsed) return;
  const isHere = req.complete;
  req.body = await (consumes === "form" ? readForm(req, limits) : readJson(req, limits));
  if (!isHere) await checkCallerAgain(req);
}

/** A router together with the facts of its paths. */
export interface ApiRouter extends Router {
  readonly about: About;
}

export const routesAbout = (about: About): ApiRouter => Object.assign(newRouter(), { about });

/** The methods of a path, and the facts that differ from those of its router. */
export type Resource = Partial<RouteFacts> & Methods;

/**
 * Adds a path with its methods. Does what all routes share, in this order: method (405, OPTIONS), the steps of the host,
 * credentials (401), scope, body type and syntax (415, 400), `Accept` (406), `Idempotency-Key`.
 */
export function resource(router: ApiRouter, path: string, offer: Resource): void {
  const facts = { about: router.about, ...offer };
  const handle = (req: Request, res: Response) => serve(req, () => dispatch(offer, req, res, facts));
  router.all(path, Object.assign(handle, { facts, verbs: Object.keys(offer).filter(isVerb) }));
}

/** As `resource`, for a pattern that matches several kinds of paths: `choose` returns the methods of a call. */
export function resourceBy(
  router: ApiRouter,
  path: string,
  offer: Partial<RouteFacts>,
  choose: (req: Request) => Promise<Methods>,
): void {
  const facts = { about: router.about, ...offer };
  const answerIt = async (req: Request, res: Response): Promise<void> => {
    // The host may have to fetch the object before its methods are known.
    if (isVerb(req.method) && (await enter(facts, req, res))) return;
    await dispatch(await choose(req), req, res);
  };
  const handle = (req: Request, res: Response): Promise<void> => serve(req, () => answerIt(req, res));
  router.all(path, Object.assign(handle, { facts }));
}
