import type { Request, Response } from "express";

/**
 * What a path names. `record` to `group` are objects with an id: `draft`, `review` and `file` are parts of a record, and a
 * `decision` belongs to a request. `library`: the rest of the public API. `sync`: the API between replicas, servers and
 * the app. `host`: pages and health.
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

/** What a host needs to know about a route besides its methods. Each route states its facts once. */
export interface RouteFacts {
  /** The kind of object; its id is the path parameter `id`. A function finds both for a call. */
  about: About | ((req: Request) => { about: About; id: string });
  /** Methods that a replica forwards to the server and never queues (hosts-and-sync 3). */
  server?: readonly Verb[];
  /** A GET is a search of the objects that the host holds (hosts-and-sync 3). */
  isSearch?: true;
  /** Whether a GET sends a stored file, which may be large. */
  isBytes?(req: Request): boolean;
  /** A GET draws a picture of a file: whose it is. */
  picture?(req: Request): { about: "record" | "draft"; id: string; key: string } | undefined;
  /** A GET draws the avatar of a user or group, the only SVG that we make ourselves. */
  isAvatar?: true;
  /** The rate limit does not count calls of this route. It never counts `sync` calls. */
  isFree?: true;
  /** A form of our own pages posts to it: the browser says that the call comes from one, instead of a CSRF token. */
  isForm?: true;
  /** What a password in the body is for: to sign in, or to confirm who the caller is. */
  password?: "sign-in" | "confirmation";
}

/** The route of a call. */
export interface RouteCall {
  facts: RouteFacts;
  about: About;
  /** Id of the object; empty when the path names none. */
  id: string;
  /** The pattern of the whole path, such as `/api/records/:id`. */
  pattern: string;
  /** Only the server decides this call. */
  isByServer: boolean;
}

export const routeOf = (req: Request): RouteCall => req.res?.locals.route as RouteCall;

/** Something the host does before a call's route. @returns whether it answered the call. */
export type RouteStep = (req: Request, res: Response) => Promise<boolean> | boolean;
