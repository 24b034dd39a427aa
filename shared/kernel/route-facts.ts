import type { Request, Response } from "express";

/**
 * What a path names. `record` to `group`: an object, by its id; `draft`, `review` and `file` are parts of a record, and a
 * `decision` is one on a request. `library`: anything else of the common API. `sync`: how replicas, servers and the app
 * work together. `host`: pages and health.
 */
export type About =
  | "record"
  | "draft"
  | "review"
  | "file"
  | "request"
  | "decision"
  | "user"
  | "group"
  | "library"
  | "sync"
  | "host";

const verbs = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;
export type Verb = (typeof verbs)[number];
export const isVerb = (text: string): text is Verb => verbs.some((verb) => verb === text);

/** What hosts need to know of a route besides its methods. Each fact is stated here alone, beside the route. */
export interface RouteFacts {
  /** The id of an object is the path's part `id`, unless the call says what it names. */
  about: About | ((req: Request) => { about: About; id: string });
  /** Methods that only the server decides: a replica passes them on and never queues them (hosts-and-sync 3). */
  server?: readonly Verb[];
  /** A GET is a search, which covers what the host holds (hosts-and-sync 3). */
  isSearch?: true;
  /** Whether a GET sends a file as it is stored, however large. */
  isBytes?(req: Request): boolean;
  /** A GET draws a picture of a person or group: the one SVG that is ours. */
  isAvatar?: true;
  /** Does not count for the rate limit; `sync` never does. */
  isFree?: true;
  /** The body holds a password: one that signs in, whoever is signed in already, or one that confirms who calls. */
  password?: "sign-in" | "confirmation";
}

/** The route that a call came to. */
export interface RouteCall {
  facts: RouteFacts;
  about: About;
  /** Of the object; empty when the path names none. */
  id: string;
  /** Only the server decides this call. */
  isByServer: boolean;
}

export const routeOf = (req: Request): RouteCall => req.res?.locals.route as RouteCall;

/** What a host does with a call before its route. @returns whether the call is answered. */
export type RouteStep = (req: Request, res: Response) => Promise<boolean> | boolean;
