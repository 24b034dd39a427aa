import type { Request } from "express";
import type { Caller } from "../shared/kernel/caller.ts";
import { Failure } from "../shared/kernel/failure.ts";
import type { Authenticate } from "../shared/kernel/resource.ts";

/** Calls in a minute; an operator who sets them switches the limit on. */
export interface RateLimits {
  guest_per_minute: number;
  user_per_minute: number;
}

const windowMs = 60_000;

/** What replicas send by themselves: a limit would keep a day of work from arriving, and lessen nothing. */
const isSync = (req: Request): boolean => req.originalUrl.startsWith("/api/sync/");

/**
 * Counts calls of each person, and of each address for strangers and for credentials that do not hold
 * (requests 2.3, search-and-conventions 11). Counts are of one process and one minute. A person's calls under
 * `/api/sync` are not counted: they neither stall nor take the calls that she makes herself.
 */
export function rateLimited(authenticate: Authenticate, limits: RateLimits | undefined): Authenticate {
  if (!limits) return authenticate;
  let counts = new Map<string, number>();
  let windowEnd = 0;

  function count(req: Request, key: string, limit: number): void {
    const now = Date.now();
    if (now >= windowEnd) {
      counts = new Map();
      windowEnd = now + windowMs;
    }
    const calls = (counts.get(key) ?? 0) + 1;
    counts.set(key, calls);
    const seconds = Math.max(1, Math.ceil((windowEnd - now) / 1000));
    req.res?.setHeader("X-RateLimit-Limit", String(limit));
    req.res?.setHeader("X-RateLimit-Remaining", String(Math.max(0, limit - calls)));
    req.res?.setHeader("X-RateLimit-Reset", String(Math.ceil(windowEnd / 1000)));
    if (calls > limit) {
      throw new Failure("too_many", "Too many requests. Try again later.", {
        headers: { "Retry-After": String(seconds) },
      });
    }
  }

  return async (req): Promise<Caller> => {
    const guest = (): void => count(req, `address:${req.ip}`, limits.guest_per_minute);
    let caller: Caller;
    try {
      caller = await authenticate(req);
    } catch (error) {
      guest();
      throw error;
    }
    if (caller.userId === null) guest();
    else if (!isSync(req)) count(req, `user:${caller.userId}`, limits.user_per_minute);
    return caller;
  };
}
