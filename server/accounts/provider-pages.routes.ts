import type { Request, Response, Router } from "express";
import type { Logger } from "pino";
import { notFound } from "../../shared/kernel/failure.ts";
import { callerOf, pathPart, resource, routesAbout } from "../../shared/kernel/resource.ts";
import type { SignInProvider } from "../../shared/sign-in/sign-in-settings.schema.ts";
import { answerPage } from "../pages/page-answer.ts";
import type { AccountPageParts } from "./account-page-parts.ts";
import { isSignedIn, leadTo, page } from "./form-pages.ts";
import { ownPath } from "./next-page.ts";
import { oidcService, ProviderDown, SignInRefused } from "./oidc.service.ts";
import { providerAnswers } from "./provider-answer.service.ts";
import { arrivalService, pending } from "./provider-arrival.service.ts";
import { providerJourneys } from "./provider-journeys.ts";
import { confirmPageRoutes, linkPageRoutes } from "./provider-link.routes.ts";
import { providerDownPage, refusedPage, takenPage } from "./provider-pages.ts";
import { providerWords as words } from "./provider-words.ts";
import { sealedCookie } from "./sealed-cookie.ts";

export interface ProviderPageParts extends AccountPageParts {
  /** The secret of the data folder. */
  secret: Uint8Array;
  log: Logger;
}

/** A sign-in with a provider that leads to `next`. */
interface Begun {
  provider: SignInProvider;
  next: string;
}

/** After so long a provider that could not be reached is worth another try. */
const retrySeconds = 60;

const oneOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/** `/sign-in/{provider}` and its `/callback` (web 9). */
export function providerPageRoutes(parts: ProviderPageParts): Router {
  const { host, services, accounts, entry, secret, log } = parts;
  const router = routesAbout("host");
  const { providers } = host.settings.sign_in;
  const oidc = oidcService(host);
  const journeys = providerJourneys(host, secret);
  const arrived = sealedCookie(host, secret, "sign-in-arrived", pending);
  const vouchedFor = providerAnswers(host, oidc);
  const arrivals = arrivalService({ host, users: services.users, accounts });
  const linking = { ...parts, arrivals, arrived };

  function requireProvider(req: Request): SignInProvider {
    const provider = arrivals.providerOf(pathPart(req, "provider"));
    if (!provider) throw notFound();
    return provider;
  }

  const onward = (req: Request, next: string) => ({ others: providers, next, isSignedIn: isSignedIn(req) });

  /** Says why a sign-in came to nothing. The reason itself is for the operator. */
  async function explain(req: Request, res: Response, { provider, next }: Begun, error: unknown): Promise<void> {
    const isDown = error instanceof ProviderDown;
    if (!isDown && !(error instanceof SignInRefused)) throw error;
    const { cause } = error;
    const reason = cause instanceof Error ? [cause.name, (cause as { code?: string }).code, cause.message] : [];
    log.warn({ provider: provider.id, reason: reason.filter(Boolean).join(": ") }, error.message);
    if (isDown) res.setHeader("Retry-After", String(retrySeconds));
    if (isDown) return answerPage(host, req, res, 503, providerDownPage(provider, onward(req, next)));
    const event = { action: "user.sign-in", status: 401, details: { provider: provider.id } };
    await host.audit(host.db, callerOf(req), event);
    const isDenied = (cause as { error?: string } | undefined)?.error === "access_denied";
    const said = isSignedIn(req) ? words.signedIn : words.refused;
    const text = (isDenied ? said.denied : said.wrong)(provider.label);
    await answerPage(host, req, res, 400, refusedPage(text, onward(req, next)));
  }

  const start = page(async (req, res) => {
    const provider = requireProvider(req);
    const next = ownPath(req.query.next);
    try {
      const begun = await oidc.begin(provider);
      const invitation = oneOf(req.query.invitation);
      const carried = { provider: provider.id, exchange: begun.exchange, next };
      journeys.begin(req, res, { ...carried, ...(invitation === undefined ? {} : { invitation }) });
      leadTo(res, begun.url.href);
    } catch (error) {
      await explain(req, res, { provider, next }, error);
    }
  });

  const comeBack = page(async (req, res) => {
    const provider = requireProvider(req);
    const carried = journeys.take(req, res, provider.id);
    if (!carried) return answerPage(host, req, res, 400, refusedPage(words.refused.lost, onward(req, "/")));
    const { next, invitation } = carried;
    try {
      const vouched = await vouchedFor(req, provider, carried.exchange);
      const found = { provider: provider.id, vouched, next, ...(invitation === undefined ? {} : { invitation }) };
      const caller = callerOf(req);
      const row = await arrivals.find(caller, found);
      if (row && (caller.userId === null || caller.userId === row.user_id)) {
        await arrivals.applyClaims(found);
        return leadTo(res, await entry.enter(req, res, await entry.proofOf(row, vouched), next, vouched));
      }
      if (row) return await answerPage(host, req, res, 409, takenPage(onward(req, next)));
      arrived.set(req, res, found);
      leadTo(res, "/sign-in/link");
    } catch (error) {
      await explain(req, res, { provider, next }, error);
    }
  });

  router.use(linkPageRoutes(linking), confirmPageRoutes(linking));
  resource(router, "/sign-in/:provider", { isForm: true, GET: start });
  resource(router, "/sign-in/:provider/callback", { isForm: true, GET: comeBack });
  return router;
}
