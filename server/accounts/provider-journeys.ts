import type { Request, Response } from "express";
import { z } from "zod";
import type { Host } from "../../shared/kernel/host.ts";
import { exchange } from "./oidc.service.ts";
import { sealedCookie } from "./sealed-cookie.ts";

/** A sign-in that went to a provider and is not back yet. */
const journey = z.object({
  provider: z.string(),
  exchange,
  next: z.string(),
  invitation: z.string().optional(),
});
type Journey = z.infer<typeof journey>;

/** More of them, or longer ones, do not fit into a cookie. */
const [maxJourneys, maxNextLength] = [3, 500];

/** The sign-ins of a browser that went to a provider: each tab may have one. */
export interface Journeys {
  begin(req: Request, res: Response, started: Journey): void;
  /** The one that comes back from a provider, which it does once; another one if it is none of them, to be refused. */
  take(req: Request, res: Response, provider: string): Journey | undefined;
}

/** @param secret of the data folder. */
export function providerJourneys(host: Host, secret: Uint8Array): Journeys {
  // The newest first.
  const cookie = sealedCookie(host, secret, "sign-in-journey", z.array(journey));
  return {
    begin(req, res, started) {
      const next = started.next.length > maxNextLength ? "/" : started.next;
      cookie.set(req, res, [{ ...started, next }, ...(cookie.read(req) ?? [])].slice(0, maxJourneys));
    },
    take(req, res, provider) {
      const all = cookie.read(req) ?? [];
      const ofProvider = all.filter((one) => one.provider === provider);
      const back = ofProvider.find(({ exchange: { state } }) => state === req.query.state);
      if (!back) return ofProvider[0];
      const left = all.filter((one) => one !== back);
      if (left.length === 0) cookie.clear(req, res);
      else cookie.set(req, res, left);
      return back;
    },
  };
}
