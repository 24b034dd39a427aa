import type { Request, RequestHandler } from "express";
import type { Caller } from "../shared/kernel/caller.ts";
import { clientAddress, networkOf } from "../shared/kernel/client-address.ts";
import { Failure } from "../shared/kernel/failure.ts";
import type { Authenticate } from "../shared/kernel/resource.ts";

interface Cost {
  path: RegExp;
  points: number;
  /** The route does not look at credentials, so the address pays. */
  isOpen?: true;
}

/** What pages cost, dearest first (web 10). Everything else of the pages costs one point. */
const costs: readonly Cost[] = [
  { path: /^\/records\/[^/]+\/export\/ro-crate-zip\/?$/, points: 10 },
  { path: /^\/oai2d\/?$/, points: 5 },
  { path: /^\/search\.atom\/?$/, points: 5, isOpen: true },
  { path: /^\/search\/?$/, points: 5 },
  { path: /^\/records\/[^/]+\/files\/.*\.zip$/i, points: 5 },
  { path: /^\/records\/[^/]+\/files\/./, points: 2 },
  { path: /^\/(sitemap\.xml|sitemaps\/|unapi)/, points: 2, isOpen: true },
  { path: /^\/(robots\.txt|opensearch\.xml|\.well-known\/)/, points: 1, isOpen: true },
  { path: /^\/(records?|uploads|doi|me\/requests)\/./, points: 1 },
  { path: /^\/collections(\/|$)/, points: 1 },
  { path: /^\/$/, points: 1 },
];

/** A router sees only the rest of its path, and `/api/records/…` must not cost what the page does. */
const costOf = ({ baseUrl, path }: Request): Cost | undefined => costs.find((one) => one.path.test(baseUrl + path));

const maxPoints = 120;
const pointsASecond = 2;
/** A user who signed in has this many times as much. */
const signedInFactor = 5;
const maxBuckets = 50_000;

interface Bucket {
  points: number;
  /** Milliseconds. */
  at: number;
}

/** A local proxy, unless the operator trusts it: then all visitors share its address, and one would lock out the others. */
const isLocal = (address: string): boolean => address === "" || address === "::1" || address.startsWith("127.");

export interface PageCosts {
  /** Charges addresses for routes that do not look at credentials. */
  readonly ofOpenRoutes: RequestHandler;
  /** Charges who calls, once that is known. */
  charged(authenticate: Authenticate): Authenticate;
}

/**
 * Limits what one address, and one user, may cost the server with pages, feeds and harvesting (web 10). Counts are per
 * process. The API has its own limits.
 */
export function pageCosts(isOn: boolean): PageCosts {
  const buckets = new Map<string, Bucket>();

  function charge(key: string, factor: number, { points, path }: Cost): void {
    const [capacity, rate] = [maxPoints * factor, pointsASecond * factor];
    const now = performance.now();
    const bucket = buckets.get(key) ?? { points: capacity, at: now };
    bucket.points = Math.min(capacity, bucket.points + ((now - bucket.at) / 1000) * rate);
    bucket.at = now;
    if (buckets.size >= maxBuckets) buckets.clear();
    buckets.set(key, bucket);
    if (bucket.points >= points) {
      bucket.points -= points;
      return;
    }
    const seconds = String(Math.max(1, Math.ceil((points - bucket.points) / rate)));
    // Harvesters know 503, and wait as long as it says.
    const kind = path.test("/oai2d") ? "unavailable" : "too_many";
    throw new Failure(kind, `Too many requests. Try again in ${seconds} seconds.`, {
      headers: { "Retry-After": seconds },
    });
  }

  function chargeAddress(req: Request, cost: Cost): void {
    const address = clientAddress(req);
    if (!isLocal(address)) charge(`address:${networkOf(address)}`, 1, cost);
  }

  const paid = new WeakSet<Request>();

  function chargeCaller(req: Request, caller: Caller | undefined): void {
    const cost = isOn && !paid.has(req) ? costOf(req) : undefined;
    if (!cost || cost.isOpen) return;
    paid.add(req);
    if (caller?.userId) charge(`user:${caller.userId}`, signedInFactor, cost);
    else chargeAddress(req, cost);
  }

  return {
    ofOpenRoutes(req, _res, next) {
      const cost = isOn ? costOf(req) : undefined;
      if (cost?.isOpen) chargeAddress(req, cost);
      next();
    },
    charged: (authenticate) => async (req) => {
      let caller: Caller | undefined;
      try {
        caller = await authenticate(req);
        return caller;
      } finally {
        chargeCaller(req, caller);
      }
    },
  };
}
