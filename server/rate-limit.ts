import type { Request } from "express";
import type { Caller } from "../shared/kernel/caller.ts";
import { clientNetwork } from "../shared/kernel/client-address.ts";
import { Failure } from "../shared/kernel/failure.ts";
import type { Authenticate } from "../shared/kernel/resource.ts";
import { type RouteCall, routeOf } from "../shared/kernel/route-facts.ts";

/** Maximum calls in a minute. There is no limit unless the operator sets one. */
export interface RateLimits {
  guest_per_minute: number;
  user_per_minute: number;
}

const windowMs = 60_000;

const isCounted = ({ about, facts }: RouteCall): boolean => about !== "sync" && !facts.isFree;

/**
 * Limits the calls of each user, and of each address for anonymous calls and invalid credentials (requests 2.3,
 * search-and-conventions 11). Counts are per process and minute. Calls by a replica's sync do not count for the user,
 * because a limit would delay a day of offline work.
 */
export function rateLimited(authenticate: Authenticate, limits: RateLimits | undefined): Authenticate {
  if (!limits) return authenticate;
  let counts = new Map<string, number>();
  let windowEnd = Number.NEGATIVE_INFINITY;
  /** A waiting call checks its caller again, but counts once. */
  const counted = new WeakSet<Request>();

  function count(req: Request, key: string, limit: number): void {
    if (counted.has(req)) return;
    counted.add(req);
    const now = performance.now();
    if (now >= windowEnd) {
      counts = new Map();
      windowEnd = now + windowMs;
    }
    const calls = (counts.get(key) ?? 0) + 1;
    counts.set(key, calls);
    const seconds = Math.max(1, Math.ceil((windowEnd - now) / 1000));
    req.res?.setHeader("X-RateLimit-Limit", String(limit));
    req.res?.setHeader("X-RateLimit-Remaining", String(Math.max(0, limit - calls)));
    req.res?.setHeader("X-RateLimit-Reset", String(Math.ceil((Date.now() + windowEnd - now) / 1000)));
    if (calls > limit) {
      throw new Failure("too_many", "Too many requests. Try again later.", {
        headers: { "Retry-After": String(seconds) },
      });
    }
  }

  return async (req): Promise<Caller> => {
    const guest = (): void => count(req, `address:${clientNetwork(req)}`, limits.guest_per_minute);
    let caller: Caller;
    try {
      caller = await authenticate(req);
    } catch (error) {
      guest();
      throw error;
    }
    if (caller.userId === null) guest();
    else if (isCounted(routeOf(req))) count(req, `user:${caller.userId}`, limits.user_per_minute);
    return caller;
  };
}
