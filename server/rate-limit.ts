import type { Request } from "express";
import type { Caller } from "../shared/kernel/caller.ts";
import { clientNetwork } from "../shared/kernel/client-address.ts";
import { Failure } from "../shared/kernel/failure.ts";
import type { Authenticate } from "../shared/kernel/resource.ts";
import { type RouteCall, routeOf } from "../shared/kernel/route-facts.ts";

/** Calls in a minute; an operator who sets them switches the limit on. */
export interface RateLimits {
  guest_per_minute: number;
  user_per_minute: number;
}

const windowMs = 60_000;

const isCounted = ({ about, facts }: RouteCall): boolean => about !== "sync" && !facts.isFree;

/**
 * Counts calls of each person, and of each address for strangers and for credentials that do not hold
 * (requests 2.3, search-and-conventions 11). Counts are of one process and one minute. What replicas send by themselves
 * is not counted for a person: a limit would keep a day of work from arriving.
 */
export function rateLimited(authenticate: Authenticate, limits: RateLimits | undefined): Authenticate {
  if (!limits) return authenticate;
  let counts = new Map<string, number>();
  let windowEnd = 0;
  /** A call whose caller is checked again while it waits is still one call. */
  const counted = new WeakSet<Request>();

  function count(req: Request, key: string, limit: number): void {
    if (counted.has(req)) return;
    counted.add(req);
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
